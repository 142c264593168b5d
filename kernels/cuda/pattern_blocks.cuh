// Compares long patterns with the text, a warp at a time.
#pragma once

#include <cstdint>

#include "kernels/text.hpp"

namespace basesweep::cuda {

// Does what blocks_match() does, with a whole warp at the same position: each thread compares one of every 32 blocks,
// and all give up when one differs.
__device__ inline bool warp_blocks_match(const PatternBlock* pattern_blocks, std::uint32_t count,
                                         const PlanesText& text, std::uint32_t position) {
  for (std::uint32_t i = threadIdx.x % 32; i - threadIdx.x % 32 < count; i += 32) {
    const bool same = i >= count || blocks_match(pattern_blocks + i, 1, text, position + i * kPatternBlockPositions);
    if (!__all_sync(~0U, same)) return false;
  }
  return true;
}

}  // namespace basesweep::cuda
