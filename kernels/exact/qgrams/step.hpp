// The steps of `qgrams`, for the CPU and CUDA threads: the bit of a q-gram, and the starts that q-grams allow.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/exact/qgrams/index.hpp"
#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::qgrams {

// The word of the bitmap with a q-gram's bit. The low code bits of the q-gram's first five positions number the bit
// within the word, from the top; all other code bits number the word.
BASESWEEP_HD constexpr std::uint32_t gram_word(std::uint32_t lo, std::uint32_t hi, std::uint32_t q) {
  const std::uint32_t mask = (1U << q) - 1;
  return (hi & mask) << (q - 5) | (lo & mask) >> 5;
}

// Moves the bit of a q-gram to the top of its word.
BASESWEEP_HD constexpr std::uint32_t bit_to_top(std::uint32_t word, std::uint32_t lo) { return word << (lo & 31); }

// The bit of the q-gram in the lowest positions of lo and hi: 1 if some query may begin at a start that this q-gram
// covers, else 0.
BASESWEEP_HD std::uint32_t gram_bit(const std::uint32_t* grams, std::uint32_t lo, std::uint32_t hi, std::uint32_t q) {
  return bit_to_top(grams[gram_word(lo, hi, q)], lo) >> 31;
}

// The starts from `position` to position + kStep - 1 that are possible, bit j for position + j: the bits of all kStep
// q-grams that may cover such a start, at whatever distance, must be set. `grams` is the bitmap, in any memory.
template <std::uint32_t kQ, std::uint32_t kStep>
BASESWEEP_HD std::uint32_t possible_starts(const std::uint32_t* grams, std::uint32_t lead, const PlanesText& text,
                                           std::uint32_t position) {
  constexpr std::uint32_t kAll = (1U << kStep) - 1;
  // Start position + j is covered by the q-grams at position + j + lead - (kStep - 1) to position + j + lead.
  if (position + lead + 1 < kStep) return kAll;  // the first q-grams would begin left of the text
  const std::uint32_t first = position + lead - (kStep - 1);
  constexpr bool kShort = 2 * kStep - 2 + kQ <= 32;
  using Positions = std::conditional_t<kShort, std::uint32_t, std::uint64_t>;
  Positions lo;
  Positions hi;
  if constexpr (kShort) {
    lo = text.lo_at(first);
    hi = text.hi_at(first);
  } else {
    lo = positions_at(text.lo, first);
    hi = positions_at(text.hi, first);
  }
  std::uint32_t run = 0;  // the bits of the q-grams so far, the last one lowest
  std::uint32_t starts = 0;
  for (std::uint32_t i = 0; i < 2 * kStep - 1; ++i) {
    const auto lo_at = static_cast<std::uint32_t>(lo >> i);
    const auto hi_at = static_cast<std::uint32_t>(hi >> i);
    run = run << 1 | gram_bit(grams, lo_at, hi_at, kQ);
    if (i + 1 >= kStep && (run & kAll) == kAll) starts |= 1U << (i + 1 - kStep);
  }
  return starts;
}

}  // namespace basesweep::qgrams
