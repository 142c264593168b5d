// The inner steps of `qgrams`, for the CPU and CUDA threads.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/qgrams/index.hpp"
#include "kernels/text.hpp"
#include "lib/host_device.hpp"

namespace basesweep::qgrams {

// Where a q-gram's bit lies: the five lowest columns' low code bits number it within a word, from the top, all others
// number the word.
BASESWEEP_HD constexpr std::uint32_t window_word(std::uint32_t lo, std::uint32_t hi, std::uint32_t q) {
  const std::uint32_t mask = (1U << q) - 1;
  return (hi & mask) << (q - 5) | (lo & mask) >> 5;
}

// Moves the bit of a q-gram to the top of its word.
BASESWEEP_HD constexpr std::uint32_t bit_to_top(std::uint32_t word, std::uint32_t lo) { return word << (lo & 31); }

// 1 where some entry has the q-gram of the lowest columns in one of the places that a window speaks for, else 0.
BASESWEEP_HD std::uint32_t window_bit(const std::uint32_t* windows, std::uint32_t lo, std::uint32_t hi,
                                      std::uint32_t q) {
  return bit_to_top(windows[window_word(lo, hi, q)], lo) >> 31;
}

// Of the starts that a window speaks for, the first of which is `column`, those that all windows allow which speak for
// them in turn: bit j for column + j. `windows`: the table, wherever it lies.
template <std::uint32_t kQ, std::uint32_t kStep>
BASESWEEP_HD std::uint32_t possible_starts(const std::uint32_t* windows, std::uint32_t lead, const PlanesText& text,
                                           std::uint32_t column) {
  constexpr std::uint32_t kAll = (1U << kStep) - 1;
  // Start column + j is spoken for by the windows from column + j + lead - (kStep - 1) to column + j + lead.
  if (column + lead + 1 < kStep) return kAll;  // they may begin left of the text
  const std::uint32_t first = column + lead - (kStep - 1);
  constexpr bool kShort = 2 * kStep - 2 + kQ <= 32;
  using Columns = std::conditional_t<kShort, std::uint32_t, std::uint64_t>;
  Columns lo;
  Columns hi;
  if constexpr (kShort) {
    lo = text.lo_at(first);
    hi = text.hi_at(first);
  } else {
    lo = columns_at(text.lo, first);
    hi = columns_at(text.hi, first);
  }
  std::uint32_t run = 0;  // of windows so far that are set, the last one lowest
  std::uint32_t starts = 0;
  for (std::uint32_t i = 0; i < 2 * kStep - 1; ++i) {
    const auto lo_at = static_cast<std::uint32_t>(lo >> i);
    const auto hi_at = static_cast<std::uint32_t>(hi >> i);
    run = run << 1 | window_bit(windows, lo_at, hi_at, kQ);
    if (i + 1 >= kStep && (run & kAll) == kAll) starts |= 1U << (i + 1 - kStep);
  }
  return starts;
}

}  // namespace basesweep::qgrams
