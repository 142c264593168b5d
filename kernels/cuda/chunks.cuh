// Comparing long patterns with the text, a warp at a time.
#pragma once

#include <cstdint>

#include "kernels/text.hpp"

namespace basesweep::cuda {

// As chunks_match(), for a whole warp that asks about the same place: each thread compares one chunk of 32, and all
// give up where one differs.
__device__ inline bool warp_chunks_match(const Chunk* chunks, std::uint32_t count, const PlanesText& text,
                                         std::uint32_t column) {
  for (std::uint32_t i = threadIdx.x % 32; i - threadIdx.x % 32 < count; i += 32) {
    const bool same = i >= count || chunks_match(chunks + i, 1, text, column + i * kChunkColumns);
    if (!__all_sync(~0U, same)) return false;
  }
  return true;
}

}  // namespace basesweep::cuda
