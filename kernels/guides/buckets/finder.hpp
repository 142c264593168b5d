// The finder of guides without bulges, on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/guides/buckets/split.hpp"
#include "lib/base/isa.hpp"
#include "lib/guides/guide_finder.hpp"

namespace basesweep::buckets {

// How guides are searched. The places that are found do not depend on it.
struct Settings {
  // The bases that a word may have; 0: none, so that each guide is compared with each site.
  std::uint32_t least_word = 0;
  std::uint32_t most_word = kMaxWord;
  // Guides are searched together if no more candidates than this are expected in a batch.
  double usual_candidates = 1U << 22;
  // If more than this are found, fewer guides are searched together, down to `fewest_guides`.
  std::size_t most_candidates = std::size_t{1} << 25;
  std::size_t fewest_guides = 64;
};

// The limits of the guides allow no bulge.
std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, const Settings& settings, Isa isa);

// Seconds of one CPU thread for a base of random text.
double cpu_seconds_per_base(const GuideSet& guides);

}  // namespace basesweep::buckets
