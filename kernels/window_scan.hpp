// Searches of windows for ends of reads that are compiled once for each instruction set: many windows side by side, a
// lane each, with an entry and a text of their own. Free of the standard library's functions, for their sources.
//
// An alignment with at most `edits` edits that ends in a window's columns [first, end) keeps to a band of the matrix:
// its column in row i of `rows` is at least first - (rows - 1 - i) - edits and at most end - 1 - (rows - 1 - i) +
// edits. Only the band is worked on, some rows at a time: a step of rows s of them, `band` = width + 2 edits:
//
//     columns, from the group's column 0 on
//     0 ....... band + s - 2                      Left of a rectangle and below its corner each row's value is one
//     +-----------------+                         more than that above it, and right of the rectangle above each
//     | rows 0 to s - 1 |                         column's one more than that before it. True values are no larger,
//     +---+-------------+---+                     so values that come from outside of the band are never too small;
//         | rows s to 2 s - 1 |                   those at most `edits` come from inside and are right.
//         +---+-----------+---+
//             ...
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/windows.hpp"
#include "lib/isa.hpp"
#include "lib/packed_batch.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep {

// Gets ends, those of a window in ascending columns.
class EndSink {
 public:
  // `window`: its index in WindowGroup::windows.
  virtual void end(std::uint32_t window, std::uint32_t column, std::uint32_t edits) = 0;

 protected:
  ~EndSink() = default;
};

// Windows that are searched side by side.
struct WindowGroup {
  const SoughtWindow* windows;   // of the whole list
  const std::uint32_t* indices;  // of this group's, a lane each
  std::uint32_t count;           // at least 1
  std::uint32_t rows;            // of the longest entry
  std::uint32_t edits;           // the most of an entry
  std::uint32_t width;           // columns of the widest window

  std::uint32_t band() const { return width + 2 * edits; }
};

// The text's column that is column 0 of a window's lane, where the group's rows, spare ones included, are `rows`.
[[gnu::always_inline]] constexpr std::int64_t lane_begin(const WindowGroup& group, const SoughtWindow& window,
                                                         std::uint32_t rows) {
  return std::int64_t{window.first} - (rows - 1) - group.edits;
}

// The columns of a text's plane from `column` on. It may begin before the text; what lies outside is 0.
[[gnu::always_inline]] constexpr std::uint64_t text_columns(const std::uint64_t* plane, std::uint32_t columns,
                                                            std::int64_t column) {
  if (column <= -64) return 0;
  if (column < 0) return plane[0] << -column;
  const std::uint64_t at = static_cast<std::uint64_t>(column) < columns ? static_cast<std::uint64_t>(column) : columns;
  const unsigned shift = at % 64;
  return plane[at / 64] >> shift | plane[at / 64 + 1] << 1 << (63 - shift);
}

// Bits of the columns that lie before the text.
[[gnu::always_inline]] constexpr std::uint64_t before_text(std::int64_t column) {
  if (column <= -64) return ~std::uint64_t{0};
  return column < 0 ? ~(~std::uint64_t{0} << -column) : 0;
}

// A word of an entry as its lane takes it. `word` counts from the first of `words`, the last ones of which are the
// entry's.
struct LaneRows {
  std::uint64_t lo, hi, known;
  std::uint64_t spare;  // rows in front of the entry: they match everything, also what lies before the text
};

[[gnu::always_inline]] inline LaneRows lane_rows(const SoughtView& reads, const SoughtEntry& entry, std::uint32_t words,
                                                 std::uint32_t word) {
  const std::uint32_t in_front = words - entry.words();
  if (word < in_front) return {0, 0, 0, ~std::uint64_t{0}};
  const std::uint32_t at = entry.first_word + word - in_front;
  const std::uint64_t spare = word == in_front ? (std::uint64_t{1} << spare_columns(entry)) - 1 : 0;
  return {reads.lo[at], reads.hi[at], reads.known[at], spare};
}

// How a room searches windows on the CPU.
struct WindowScan {
  using Run = void (*)(const SoughtView& reads, const PackedView& text, const WindowGroup& group,
                       std::uint64_t* scratch, EndSink& sink);
  // 64-bit words of scratch memory, aligned to 64 bytes, that a run needs.
  using ScratchWords = std::size_t (*)(const WindowGroup& group);

  Run run;
  ScratchWords scratch_words;
  std::uint32_t lanes;  // windows that a group may have at most
};

}  // namespace basesweep

// Declares <room>_windows in the three namespaces that BASESWEEP_ISA names, each a WindowScan, and
// <room>::window_scan(isa), which picks one.
#define BASESWEEP_DECLARE_WINDOWS(room)                                                      \
  namespace basesweep {                                                                      \
  namespace sse42 {                                                                          \
  WindowScan room##_windows();                                                               \
  }                                                                                          \
  namespace avx2 {                                                                           \
  WindowScan room##_windows();                                                               \
  }                                                                                          \
  namespace avx512 {                                                                         \
  WindowScan room##_windows();                                                               \
  }                                                                                          \
  namespace room {                                                                           \
  inline WindowScan window_scan(Isa isa) {                                                   \
    return pick(isa, sse42::room##_windows, avx2::room##_windows, avx512::room##_windows)(); \
  }                                                                                          \
  }                                                                                          \
  }
