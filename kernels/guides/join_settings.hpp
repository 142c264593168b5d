// How a text is joined with itself.
#pragma once

#include <cstdint>

namespace basesweep::buckets {

// The totals do not depend on it.
struct JoinSettings {
  // The bases that a word may have; 0: none, so that each guide is compared with each site. A GPU takes 1 at least.
  std::uint32_t least_word = 0;
  std::uint32_t most_word = 0xffffffff;
  std::uint32_t sites_at_once = 0xffffffff;  // sites whose totals are in memory at once, if they fit
  // On the CPU: guides with more places are counted before they are scored, if at all. Most have fewer.
  std::uint64_t few_places = 256;
  std::uint32_t words_at_once = 0xffffffff;  // of a GPU: 32 sites each whose index is in memory at once, if they fit
  // Of a GPU, with JoinLimits::slow_use: sites that are compared while the totals of others are used. Of fewer, buckets
  // have too few guides to fill tiles.
  std::uint32_t sites_of_round = 1U << 28;
  std::uint32_t tiles_at_once = 1U << 15;  // of a GPU: blocks of a launch, since a GPU with a screen stops long ones
};
}  // namespace basesweep::buckets
