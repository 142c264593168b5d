// How exact searches read text in planes and compare it with patterns, for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "lib/host_device.hpp"

namespace basesweep {

// 64 columns of a plane from `column` on.
BASESWEEP_HD std::uint64_t columns_at(const std::uint64_t* plane, std::uint32_t column) {
  const std::uint64_t* words = plane + column / 64;
  const unsigned shift = column % 64;
  return words[0] >> shift | words[1] << 1 << (63 - shift);  // in two, since a shift may not be by 64
}

// Text as scans take it that run on the CPU and the GPU alike: 32 columns of either plane from any column on, up to as
// many as a PackedView's planes can be read. Kernels that keep text in shared memory have a type of their own with the
// same two functions.
struct PlanesText {
  const std::uint64_t* lo;
  const std::uint64_t* hi;

  BASESWEEP_HD std::uint32_t lo_at(std::uint32_t column) const { return half_at(lo, column); }
  BASESWEEP_HD std::uint32_t hi_at(std::uint32_t column) const { return half_at(hi, column); }

 private:
  BASESWEEP_HD static std::uint32_t half_at(const std::uint64_t* plane, std::uint32_t column) {
#ifdef __CUDA_ARCH__
    const auto* halves = reinterpret_cast<const std::uint32_t*>(plane) + column / 32;
    return __funnelshift_r(halves[0], halves[1], column);
#else
    return static_cast<std::uint32_t>(columns_at(plane, column));
#endif
  }
};

// The code of the base at a column.
template <class Text>
BASESWEEP_HD unsigned code_at(const Text& text, std::uint32_t column) {
  return (text.lo_at(column) & 1) | (text.hi_at(column) & 1) << 1;
}

// The lowest `q` (1 to 16) columns of 32 as a number below 4^q: the low code bits side by side, then the high ones. A
// number in base 4 would need the planes interleaved, and tells bases apart no better.
BASESWEEP_HD constexpr std::uint32_t qgram(std::uint32_t lo, std::uint32_t hi, std::uint32_t q) {
  const std::uint32_t mask = (1U << q) - 1;
  return (lo & mask) | (hi & mask) << q;
}

template <class Text>
BASESWEEP_HD std::uint32_t qgram_at(const Text& text, std::uint32_t column, std::uint32_t q) {
  return qgram(text.lo_at(column), text.hi_at(column), q);
}

BASESWEEP_HD std::uint32_t count_ones(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}

// Moves bit i of a plane to bit 2 i.
BASESWEEP_HD constexpr std::uint64_t spread_bits(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

// 32 columns as 32 codes of two bits, the first column lowest.
BASESWEEP_HD constexpr std::uint64_t codes(std::uint32_t lo, std::uint32_t hi) {
  return spread_bits(lo) | spread_bits(hi) << 1;
}

// Moves bits 2 i and 2 i + 1 of a plane to bits 4 i and 4 i + 1.
BASESWEEP_HD constexpr std::uint64_t spread_pairs(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  return (x | x << 2) & 0x3333333333333333;
}

// 32 columns as 16 pair codes of four bits: the low code bits of both columns, then their high ones. One shuffle less
// than codes(), and just as good an index.
BASESWEEP_HD constexpr std::uint64_t pair_codes(std::uint32_t lo, std::uint32_t hi) {
  return spread_pairs(lo) | spread_pairs(hi) << 2;
}

BASESWEEP_HD constexpr unsigned first_of_pair(unsigned pair) { return (pair & 1) | (pair >> 1 & 2); }
BASESWEEP_HD constexpr unsigned second_of_pair(unsigned pair) { return (pair >> 1 & 1) | (pair >> 2 & 2); }

// 32 columns of a pattern; base i has its code bits in bit i of `lo` and `hi`. `mask` tells which are there.
struct Chunk {
  std::uint32_t lo, hi, mask;
};
inline constexpr std::uint32_t kChunkColumns = 32;

BASESWEEP_HD constexpr bool chunk_matches(const Chunk& chunk, std::uint32_t lo, std::uint32_t hi) {
  return (((lo ^ chunk.lo) | (hi ^ chunk.hi)) & chunk.mask) == 0;
}

// Whether these chunks, one after the other, are what the text holds from `column` on.
template <class Text>
BASESWEEP_HD bool chunks_match(const Chunk* chunks, std::uint32_t count, const Text& text, std::uint32_t column) {
  for (std::uint32_t i = 0; i < count; ++i, column += kChunkColumns) {
    if (!chunk_matches(chunks[i], text.lo_at(column), text.hi_at(column))) return false;
  }
  return true;
}

}  // namespace basesweep
