#include "lib/guides/distinct_finder.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>

#include "lib/base/per_thread.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostLookedAt = 1'000'000;

using IndexByLetters = std::unordered_map<std::string_view, std::uint32_t>;

// Memory of one thread.
struct OwnPlaces {
  std::vector<GuidePlace> all;
};

// For each of `order`, the `width` elements of `from` that it is the index of.
template <class T>
std::vector<T> spread(std::span<const T> from, const std::vector<std::uint32_t>& order, std::size_t width) {
  std::vector<T> all;
  all.reserve(order.size() * width);
  for (const std::uint32_t index : order) {
    const std::span<const T> own = from.subspan(index * width, width);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace

bool has_twins(const GuideSet& guides) {
  if (guides.guides().size() > kMostLookedAt) return false;
  IndexByLetters known;
  for (const Guide& guide : guides.guides()) {
    if (!known.emplace(guide.letters, 0).second) return true;
  }
  return false;
}

DistinctFinder::DistinctFinder(const GuideSet& guides, const Make& make) {
  IndexByLetters known;
  std::vector<Pattern> patterns;
  for (const Guide& guide : guides.guides()) {
    const auto [at, fresh] = known.emplace(guide.letters, static_cast<std::uint32_t>(patterns.size()));
    if (fresh) {
      patterns.push_back({guide.name, guide.letters});
      guides_.emplace_back();
    }
    guides_[at->second].push_back(static_cast<std::uint32_t>(distinct_.size()));
    distinct_.push_back(at->second);
  }
  const PamChoice choice{guides.pams(), guides.side(), PamInGuide::no};
  set_ = std::make_unique<GuideSet>(patterns, choice, guides.limits());
  finder_ = make(*set_);
}

void DistinctFinder::find(const PackedBatch& batch, const Loop& loop, const Use& use) const {
  finder_->find(batch, loop, [&](std::span<const GuidePlace> places) {
    if (places.empty()) return;
    std::vector<GuidePlace>& own = per_thread<OwnPlaces>().all;
    own.assign(places.begin(), places.end());
    for (const std::uint32_t guide : guides_[places.front().guide]) {
      for (GuidePlace& place : own) place.guide = guide;
      use(own);
    }
  });
}

bool DistinctFinder::add_up(const PackedBatch& batch, bool skip_soft_masked, const UseSums& use) const {
  return finder_->add_up(batch, skip_soft_masked, [&](const GuideSums& sums) {
    const auto counts = spread(sums.counts, distinct_, sums.classes);
    const auto mit = spread(sums.mit, distinct_, 1);
    const auto cfd = spread(sums.cfd, distinct_, 1);
    const auto exact_cfd = spread(sums.exact_cfd, distinct_, 1);
    const auto nearest = spread(sums.nearest, distinct_, 2);
    use({counts, sums.classes, mit, cfd, exact_cfd, nearest});
  });
}

}  // namespace basesweep
