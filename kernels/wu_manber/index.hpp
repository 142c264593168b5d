// What `wu_manber` prepares from the patterns: the table SHIFT.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/starts.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::wu_manber {

// How many columns a block has: Wu and Manber's log_c(2 M), c = 4, where M counts the columns of all entries' windows.
// Each column more makes SHIFT four times as large, so what is best depends on the device's caches: measured.
struct BlockRule {
  double added;        // before what follows the point is dropped
  std::uint32_t most;  // SHIFT has 4^most bytes then
};
inline constexpr BlockRule kCpuBlocks{0.5, 11};
inline constexpr BlockRule kGpuBlocks{1.0, 12};

struct IndexView {
  const std::uint8_t* SHIFT;  // by the block, a q-gram, that ends a window
  StartsView starts;
  std::uint32_t block;   // columns
  std::uint32_t before;  // columns of a window before its block
};

struct Index {
  // Takes the given entries of the set, at least one; none may have IUPAC codes. `block`: columns of a block, but no
  // more than the shortest entry has and rule.most; 0: by the rule.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, std::uint32_t block,
        const BlockRule& rule);

  IndexView view() const { return {SHIFT.data(), starts.view(), block, shortest - block}; }

  std::vector<std::uint8_t> SHIFT;
  Starts starts;
  std::uint32_t block = 1;
  std::uint32_t shortest = 0;  // columns of a window: of the shortest entry, or as many as shifts can be long
};

}  // namespace basesweep::wu_manber
