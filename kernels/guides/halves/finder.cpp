// The finder on the CPU.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "kernels/guides/halves/candidates.hpp"
#include "kernels/guides/kept_memory.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep::halves {
namespace {

// How many guides are looked up together. The more they are, the less often each part of an index is read from memory;
// but all threads should have some.
std::size_t guides_at_once(std::size_t guides) {
  constexpr std::size_t kBlocks = 32;
  return std::clamp<std::size_t>(guides / kBlocks, 64, 4096);
}

// Guides of one length, by their indices.
struct GuideBlock {
  const LookupPlan* plan;
  std::vector<std::uint32_t> guides;
};

// Memory of one batch, kept for the next.
struct Workspace {
  Sites sites;
  std::vector<SiteIndex> indices;  // one for each q that is looked up; others may be of a batch before
};

// Memory of one thread.
struct Found {
  std::vector<const GuideBits*> guides;
  std::vector<Candidate> candidates;
};

class Finder final : public GuideFinder {
 public:
  Finder(const GuideSet& guides, GuideWay way, Isa isa)
      : guides_(guides), way_(way), isa_(isa), bits_(guide_bits(guides)) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_length;
    for (std::uint32_t guide = 0; guide < bits_.size(); ++guide) of_length[bits_[guide].length].push_back(guide);
    const std::size_t at_once = guides_at_once(bits_.size());
    for (const auto& [length, all] : of_length) {
      const LookupPlan& plan = plans_.emplace(length, make_plan(length, guides.limits())).first->second;
      for (std::size_t i = 0; i < all.size(); i += at_once) {
        const std::size_t end = std::min(all.size(), i + at_once);
        blocks_.push_back(
            {&plan, {all.begin() + static_cast<std::ptrdiff_t>(i), all.begin() + static_cast<std::ptrdiff_t>(end)}});
      }
    }
  }

  std::string describe() const override { return "halves, CPU"; }

  // Enough sites that a look-up is rarely in vain, as far as memory goes.
  std::uint32_t batch_positions() const override {
    constexpr double kMostSites = 1U << 23;
    constexpr double kFewestSites = 1U << 17;
    double lookups = 0;
    for (const GuideBits& guide : bits_) lookups += static_cast<double>(plans_.at(guide.length).lookups);
    constexpr double kSitesPerLookup = 4;
    const double sites = std::clamp(lookups * kSitesPerLookup, kFewestSites, kMostSites);
    return positions_of_batch(sites, guides_);
  }

  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override {
    std::unique_ptr<Workspace> work = memory_.take();
    find_sites(batch, guides_, loop, work->sites);
    std::vector<std::uint32_t> qs;
    for (const auto& [length, plan] : plans_) {
      if (looks_up(plan, work->sites, way_) && std::find(qs.begin(), qs.end(), plan.q) == qs.end())
        qs.push_back(plan.q);
    }
    work->indices.resize(std::max(work->indices.size(), qs.size()));
    for (std::size_t i = 0; i < qs.size(); ++i) work->indices[i].q = qs[i];
    loop(2 * qs.size(), [&](std::size_t i) {
      SiteIndex& index = work->indices[i / 2];
      const bool second = i % 2 != 0;
      build_index(work->sites, second ? index.q : 0, index.q, second ? index.second : index.first);
    });
    loop(blocks_.size(), [&](std::size_t block) { find_places(batch, blocks_[block], *work, use); });
    memory_.give_back(std::move(work));
  }

 private:
  void find_places(const PackedBatch& batch, const GuideBlock& block, const Workspace& work, const Use& use) const {
    Found& found = per_thread<Found>();
    found.guides.clear();
    for (const std::uint32_t guide : block.guides) found.guides.push_back(&bits_[guide]);
    const auto index = std::find_if(work.indices.begin(), work.indices.end(),
                                    [&](const SiteIndex& one) { return one.q == block.plan->q; });
    find_candidates(found.guides, guides_.limits(), *block.plan, work.sites,
                    index == work.indices.end() ? nullptr : &*index, way_, isa_, found.candidates);
    use_places(batch, guides_, bits_, block.guides, found.candidates, work.sites, use);
  }

  const GuideSet& guides_;
  const GuideWay way_;
  const Isa isa_;
  const std::vector<GuideBits> bits_;          // of each guide
  std::map<std::uint32_t, LookupPlan> plans_;  // by the length of a guide
  std::vector<GuideBlock> blocks_;
  mutable KeptMemory<Workspace> memory_;
};

}  // namespace

std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, GuideWay way, Isa isa) {
  return std::make_unique<Finder>(guides, way, isa);
}

// Fitted to the rows of README.md: a look-up of all sites of a base, and the work for each base itself.
double cpu_seconds_per_base(const GuideSet& guides) {
  constexpr double kBase = 4e-9;
  constexpr double kSiteLookUp = 1.2e-14;
  std::map<std::uint32_t, std::size_t> lookups;  // by the length of a guide
  double all = 0;
  for (const Guide& guide : guides.guides()) {
    const auto length = static_cast<std::uint32_t>(guide.letters.size());
    auto known = lookups.find(length);
    if (known == lookups.end()) known = lookups.emplace(length, make_plan(length, guides.limits()).lookups).first;
    all += static_cast<double>(known->second);
  }
  return kBase + all * kSiteLookUp * sites_per_position(guides);
}

}  // namespace basesweep::halves
