// How exact searches read text from planes and compare it with patterns. For the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "lib/base/count_ones.hpp"
#include "lib/base/host_device.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep {

// Text for scans that run on the CPU and the GPU alike. lo_at() and hi_at() return 32 positions of a plane from any
// position on that a PackedView allows to read. Kernels that keep text in shared memory have a type of their own with
// the same two functions.
struct PlanesText {
  const std::uint64_t* lo;
  const std::uint64_t* hi;

  BASESWEEP_HD std::uint32_t lo_at(std::uint32_t position) const { return half_at(lo, position); }
  BASESWEEP_HD std::uint32_t hi_at(std::uint32_t position) const { return half_at(hi, position); }

 private:
  BASESWEEP_HD static std::uint32_t half_at(const std::uint64_t* plane, std::uint32_t position) {
#ifdef __CUDA_ARCH__
    const auto* halves = reinterpret_cast<const std::uint32_t*>(plane) + position / 32;
    return __funnelshift_r(halves[0], halves[1], position);
#else
    return static_cast<std::uint32_t>(positions_at(plane, position));
#endif
  }
};

// The code of the base at a position.
template <class Text>
BASESWEEP_HD unsigned code_at(const Text& text, std::uint32_t position) {
  return (text.lo_at(position) & 1) | (text.hi_at(position) & 1) << 1;
}

// The lowest `q` (1 to 16) positions of 32 as a number below 4^q: all low code bits, then all high ones. A number in
// base 4 would need the planes interleaved, and is no better as an index.
BASESWEEP_HD constexpr std::uint32_t qgram(std::uint32_t lo, std::uint32_t hi, std::uint32_t q) {
  const std::uint32_t mask = (1U << q) - 1;
  return (lo & mask) | (hi & mask) << q;
}

template <class Text>
BASESWEEP_HD std::uint32_t qgram_at(const Text& text, std::uint32_t position, std::uint32_t q) {
  return qgram(text.lo_at(position), text.hi_at(position), q);
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

// 32 positions as 32 codes of two bits, the first position lowest.
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

// 32 positions as 16 pair codes of four bits: the low code bits of both positions, then their high ones. Takes one
// shuffle less than codes(), and is just as good as an index.
BASESWEEP_HD constexpr std::uint64_t pair_codes(std::uint32_t lo, std::uint32_t hi) {
  return spread_pairs(lo) | spread_pairs(hi) << 2;
}

BASESWEEP_HD constexpr unsigned first_of_pair(unsigned pair) { return (pair & 1) | (pair >> 1 & 2); }
BASESWEEP_HD constexpr unsigned second_of_pair(unsigned pair) { return (pair >> 1 & 1) | (pair >> 2 & 2); }

// 32 positions of a pattern; base i has its code bits in bit i of `lo` and `hi`. Bit i of `mask` is 1
// if the pattern has that position.
struct PatternBlock {
  std::uint32_t lo, hi, mask;
};
inline constexpr std::uint32_t kPatternBlockPositions = 32;

BASESWEEP_HD constexpr bool block_matches(const PatternBlock& block, std::uint32_t lo, std::uint32_t hi) {
  return (((lo ^ block.lo) | (hi ^ block.hi)) & block.mask) == 0;
}

// True if the text holds these blocks, one after the other, from `position` on.
template <class Text>
BASESWEEP_HD bool blocks_match(const PatternBlock* pattern_blocks, std::uint32_t count, const Text& text,
                               std::uint32_t position) {
  for (std::uint32_t i = 0; i < count; ++i, position += kPatternBlockPositions) {
    if (!block_matches(pattern_blocks[i], text.lo_at(position), text.hi_at(position))) return false;
  }
  return true;
}

}  // namespace basesweep
