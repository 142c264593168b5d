// Every guide of a text against all of it.
#pragma once

#include <memory>

#include "kernels/guides/buckets/plan.hpp"
#include "lib/base/isa.hpp"
#include "lib/guides/guide_join.hpp"

namespace basesweep::buckets {

// How a text is joined with itself. The totals do not depend on it.
struct JoinSettings {
  // The bases that a word may have; 0: none, so that each guide is compared with each site. A GPU takes 1 at least.
  std::uint32_t least_word = 0;
  std::uint32_t most_word = kMaxWord;
  std::uint32_t sites_at_once = 1U << 27;  // sites whose totals are in memory at once; of a GPU there are fewer if they
                                           // do not fit
  std::uint32_t tiles_at_once = 1U << 15;  // of a GPU: blocks of a launch, since a GPU with a screen stops long ones
};
// The settings of a GPU.
inline constexpr JoinSettings kGpuJoin{.sites_at_once = 0xffffffff};

std::unique_ptr<GuideJoin> make_cpu_join(const JoinSettings& settings, Isa isa);

// Seconds of one CPU thread for this many sites.
double cpu_join_seconds(double sites, std::uint32_t length, const JoinLimits& limits);

}  // namespace basesweep::buckets
