#include "kernels/guides/candidates.hpp"

#include <algorithm>
#include <utility>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

// Memory of one thread.
struct Places {
  std::vector<GuidePlace> places;
};

// Has the text of these sites fetched, which lies in no cache.
void fetch_sites(const PackedBatch& batch, std::span<const Candidate> candidates, const Sites& sites) {
  const PackedView view = batch.view();
  for (const Candidate& candidate : candidates) {
    const std::uint32_t word = sites.sites[candidate.site].border / 64;
    __builtin_prefetch(view.lo + word);
    __builtin_prefetch(view.hi + word);
  }
}

// Sets `places` to those among the candidates of a guide, in order. `index`: of the guide in the set.
void judge(const PackedBatch& batch, const GuideSet& guides, std::uint32_t index, const GuideBits& guide,
           std::span<const Candidate> candidates, const Sites& sites, std::vector<GuidePlace>& places) {
  places.clear();
  for (const Candidate& candidate : candidates) {
    const Site& site = sites.sites[candidate.site];
    const bool left = guide_is_left(guides.side(), site.strand);
    // The segment of the PAM: the border itself may be past its end.
    const Segment& segment = batch.segments()[batch.segment_at(left ? site.border : site.border - 1)];
    const GuideWindow window = window_at(batch, segment, site.border, left, site.strand);
    GuideShape shape;
    if (!best_shape(guide, window, guides.limits(), guides.side(), shape)) continue;
    places.push_back({site.border, index, shape, site.strand, site.pam});
  }
  std::sort(places.begin(), places.end(), [](const GuidePlace& a, const GuidePlace& b) {
    return std::pair(a.border, a.strand) < std::pair(b.border, b.strand);
  });
}

}  // namespace

void sort_candidates(std::vector<Candidate>& candidates) {
  const auto number = [](const Candidate& one) { return std::uint64_t{one.guide} << 32 | one.site; };
  std::sort(candidates.begin(), candidates.end(),
            [=](const Candidate& a, const Candidate& b) { return number(a) < number(b); });
  candidates.erase(std::unique(candidates.begin(), candidates.end(),
                               [=](const Candidate& a, const Candidate& b) { return number(a) == number(b); }),
                   candidates.end());
}

void use_places(const PackedBatch& batch, const GuideSet& guides, const std::vector<GuideBits>& bits,
                std::span<const std::uint32_t> indices, std::span<const Candidate> candidates, const Sites& sites,
                const GuideFinder::Use& use) {
  constexpr std::size_t kAhead = 64;  // candidates whose text is fetched together
  std::vector<GuidePlace>& places = per_thread<Places>().places;
  std::size_t fetched = 0;
  for (std::size_t first = 0; first < candidates.size();) {
    std::size_t last = first + 1;
    while (last < candidates.size() && candidates[last].guide == candidates[first].guide) ++last;
    if (fetched < last + kAhead / 2 && fetched < candidates.size()) {
      const std::size_t next = std::min(candidates.size(), std::max(fetched, last) + kAhead);
      fetch_sites(batch, candidates.subspan(fetched, next - fetched), sites);
      fetched = next;
    }
    const std::uint32_t guide = indices[candidates[first].guide];
    judge(batch, guides, guide, bits[guide], candidates.subspan(first, last - first), sites, places);
    if (!places.empty()) use(places);
    first = last;
  }
}

}  // namespace basesweep
