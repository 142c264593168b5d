// The inner steps of `drk2s`, for the CPU and CUDA threads: the fingerprint of a window of text, and the check of a
// chunk.
#pragma once

#include <cstdint>

#include "kernels/drk2s/index.hpp"
#include "lib/host_device.hpp"

namespace basesweep::drk2s {

// The fingerprint of the kBases columns in the low bits of `lo` and `hi`; what lies above them does not matter. Word
// has 2 kBases bits: a vector of uint16_t on the CPU. (The CUDA kernel makes the same with byte shuffles.)
template <int kBases, class Word>
BASESWEEP_HD Word window_fingerprint(Word lo, Word hi) {
  return (lo & ((1U << kBases) - 1)) | hi << kBases;
}

// 32 columns of a plane, from any column on.
BASESWEEP_HD std::uint32_t columns_at(const std::uint64_t* plane, std::uint64_t column) {
  const std::uint64_t* word = plane + column / 64;
  const unsigned shift = column % 64;
  return static_cast<std::uint32_t>(word[0] >> shift | word[1] << 1 << (63 - shift));
}

// Whether the 32 columns hold the bases of a chunk.
BASESWEEP_HD bool chunk_matches(const Chunk& chunk, std::uint32_t lo, std::uint32_t hi) {
  return (((lo ^ chunk.lo) | (hi ^ chunk.hi)) & chunk.mask) == 0;
}

// The second stage for one thread: whether an entry of these chunks starts at `column`.
BASESWEEP_HD bool matches_at(const Chunk* chunks, std::uint32_t count, const std::uint64_t* lo, const std::uint64_t* hi,
                             std::uint64_t column) {
  for (std::uint32_t i = 0; i < count; ++i, column += kChunkColumns) {
    if (!chunk_matches(chunks[i], columns_at(lo, column), columns_at(hi, column))) return false;
  }
  return true;
}

}  // namespace basesweep::drk2s
