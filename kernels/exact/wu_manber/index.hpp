// The index of `wu_manber`: the table SHIFT (Wu and Manber 1994).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/tables/starts.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::wu_manber {

// How to choose the number of positions of a block: Wu and Manber's log_c(2 M), c = 4, where M counts the positions of
// all queries' windows, plus `added`. Each further position makes SHIFT four times as large, so the best value depends
// on the device's caches; these were measured.
struct BlockRule {
  double added;             // before the fraction is dropped
  double added_to_long;     // the same for windows of 64 positions and more
  std::uint32_t max_block;  // SHIFT then has 4^max_block bytes
};
inline constexpr BlockRule kCpuBlocks{0.5, 0.5, 11};
inline constexpr BlockRule kGpuBlocks{1.0, 2.25, 12};

struct IndexView {
  const std::uint8_t* SHIFT;  // by the block at the end of a window, as a q-gram: how far the window may move
  StartsView starts;
  std::uint32_t block;   // positions
  std::uint32_t before;  // positions of a window in front of its block
};

struct Index {
  // Indexes the given queries of the set, at least one; none may have IUPAC codes. `block`: positions of a block, cut
  // to the shortest query and to rule.max_block; 0: by the rule.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, std::uint32_t block,
        const BlockRule& rule);

  IndexView view() const { return {SHIFT.data(), starts.view(), block, shortest - block}; }

  std::vector<std::uint8_t> SHIFT;
  Starts starts;
  std::uint32_t block = 1;
  std::uint32_t shortest = 0;  // positions of a window: those of the shortest query, as far as a shift can count
};

}  // namespace basesweep::wu_manber
