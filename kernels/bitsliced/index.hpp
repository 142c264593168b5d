// What `bitsliced` prepares from the patterns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/bitsliced/step.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::bitsliced {

// What alignments through a surviving window may touch: their ends lie in columns [first_end, last_end], and none
// starts before `begin`.
struct Reach {
  std::uint32_t begin, first_end;
  std::uint64_t last_end;
};

// The columns of an entry that the filter takes: where they match with at most `edits` edits, the text around is
// verified.
struct Window {
  std::uint32_t rows;
  std::uint32_t edits;
  std::uint32_t end;   // columns of the entry up to the end of the window
  std::uint32_t tail;  // columns of the entry after it
  bool whole;          // it holds the entry, below rows that take any base where that is shorter: matches are ends
  double survivors;    // expected, a column of random text
  BaseSet sets[kMostRows];

  // For survivors with their last columns in [first, last].
  BASESWEEP_HD Reach reach(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t left = std::uint64_t{end} + edits;
    const std::uint64_t from = first + tail;
    return {static_cast<std::uint32_t>(first + 1 > left ? first + 1 - left : 0),
            static_cast<std::uint32_t>(from > edits ? from - edits : 0), last + tail + edits};
  }
};

// What a device gives and takes.
struct Costs {
  std::vector<std::uint32_t> rows;  // numbers of rows to choose from, ascending, the last is kMostRows
  double verify;                    // a column of text in the verifier, in rows of the filter over a column
};

// The window that costs least on random text, or nothing where too many columns survive any.
std::optional<Window> choose_window(const Entry& entry, const Costs& costs);

}  // namespace basesweep::bitsliced
