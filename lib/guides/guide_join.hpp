// Compares every guide of a text with all of its sites. make_guide_join() is defined in kernels/registry.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lib/guides/guide_finder.hpp"
#include "lib/guides/text_sites.hpp"
#include "lib/search/device.hpp"

namespace basesweep {

inline constexpr std::uint32_t kMostJoinMismatches = 8;

// What is summed up for a guide of the text. Fields are as in GuideTotals.
struct SiteTotals {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // The two nearest sites: mismatches << 32 | number of the site. The nearest is the guide's first copy.
  std::uint64_t nearest[2];
  std::uint64_t mit;
  std::uint64_t cfd;
  std::uint32_t exact_cfd;
  std::uint32_t counts[kMostJoinMismatches + 1];  // places by their mismatches

  // Without any place.
  BASESWEEP_HD static SiteTotals none() { return {{kNone, kNone}, 0, 0, 0, {}}; }

  BASESWEEP_HD std::uint64_t places() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count;
    return sum;
  }
};

struct JoinLimits {
  std::uint32_t mismatches;  // at most kMostJoinMismatches
  bool scored;               // guides have scores, see has_scores()
  // The sums of scores of a guide with more places have no meaning.
  std::uint64_t most_scored;
  // Whether using the totals takes long, as when a row of each guide is written. Then a GPU compares the next guides
  // meanwhile, a part after the other, although that takes it longer in all.
  bool slow_use = false;
};

class GuideJoin {
 public:
  using Loop = GuideFinder::Loop;
  // Takes the totals of the sites from number `first` on, which are next in the range. Those of sites that are not
  // guides have no meaning.
  using Use = std::function<void(std::uint32_t first, std::span<const SiteTotals> totals)>;

  virtual ~GuideJoin() = default;
  virtual std::string describe() const = 0;
  // As GuideFinder::batches().
  std::vector<DeviceBatches> batches() const { return {}; }
  // Compares the guides in the range with all sites. Calls use() for all sites of the range in their order, by one
  // thread at a time.
  virtual void join(const TextSites& sites, const JoinLimits& limits, SiteRange range, const Loop& loop,
                    const Use& use) const = 0;
};

// Lists all sites of a batch whose alignments start in positions that it owns, with at most `limits.mismatches` letters
// other than A, C, G and T, by start and strand. `every`: a guide of the PAMs and as many N as guides have bases. A
// site without such letters is a guide. With `skip_soft_masked`, sites that touch lower case are left out. Thread-safe.
BatchSites find_text_sites(const PackedBatch& batch, const GuideSet& every, std::uint32_t mismatches,
                           bool skip_soft_masked);

// The number of sites of a base of random text.
double text_sites_per_base(const GuideSet& every);

// Throws DeviceError when Device::gpu is chosen and a GPU is not usable.
std::unique_ptr<GuideJoin> make_guide_join(const GuideSet& every, const JoinLimits& limits,
                                           const SearcherOptions& options);

// The part of a text that regions have at least, if joining their guides with the text is faster than searching for
// them as a library.
double least_part_to_join(const DeviceChoice& device);

}  // namespace basesweep
