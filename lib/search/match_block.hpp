// Compares up to 64 positions of text with the base sets of a query at once. For the CPU and CUDA threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "lib/base/dna.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep {

inline constexpr std::uint32_t kMatchBlockPositions = 64;

// Positions of a query. Bit i of base[code] is set if position i takes that base. Positions past the last one take any.
struct MatchBlock {
  std::uint64_t base[4];
};

// The block of positions [begin, end), or of the first 64 of them.
inline MatchBlock match_block(std::span<const BaseSet> sets, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  MatchBlock block{{kAll, kAll, kAll, kAll}};
  for (std::uint32_t i = 0; i < std::min(end - begin, kMatchBlockPositions); ++i) {
    const std::uint64_t others = ~std::uint64_t{sets[begin + i]};  // without branches: no processor predicts bases
    for (unsigned code = 0; code < 4; ++code) block.base[code] &= ~((others >> code & 1) << i);
  }
  return block;
}

// Bit i is set if position i does not take the base of the text, whose planes are lo and hi.
BASESWEEP_HD std::uint64_t mismatches(const MatchBlock& block, std::uint64_t lo, std::uint64_t hi) {
  const std::uint64_t low = (lo & block.base[1]) | (~lo & block.base[0]);
  const std::uint64_t high = (lo & block.base[3]) | (~lo & block.base[2]);
  return ~((hi & high) | (~hi & low));
}

}  // namespace basesweep
