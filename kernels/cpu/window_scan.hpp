// How rooms search windows for ends of reads on the CPU: many windows side by side, each in a lane with its own query
// and its own text. Free of the standard library's functions, for sources that are compiled once for each instruction
// set.
//
// An alignment with at most `edits` edits that ends in a window's positions [first, end) keeps to a band of the matrix:
// its position in row i of `rows` is at least first - (rows - 1 - i) - edits and at most end - 1 - (rows - 1 - i) +
// edits. Only the band is worked on, some rows at a time: a step of rows s of them, `band` = width + 2 edits:
//
//     positions, from the group's position 0 on
//     0 ....... band + s - 2
//     +-----------------+
//     | rows 0 to s - 1 |
//     +---+-------------+---+
//         | rows s to 2 s - 1 |
//         +---+-----------+---+
//             ...
//
// Values outside of the band are made up: left of a rectangle, and below its corner, each row's value is one more than
// that of the row above; right of the rectangle above, each position's value is one more than that of the position
// before. True values can only be smaller. So a value that comes from outside of the band is never too small, and a
// value of at most `edits` comes from inside and is right.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/windows.hpp"
#include "lib/base/isa.hpp"
#include "lib/search/packed_view.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep {

// Takes ends; those of a window come in ascending positions.
class EndSink {
 public:
  // `window`: its index in WindowGroup::windows.
  virtual void end(std::uint32_t window, std::uint32_t position, std::uint32_t edits) = 0;

 protected:
  ~EndSink() = default;
};

// Windows that are searched side by side.
struct WindowGroup {
  const QueryWindow* windows;    // the whole list
  const std::uint32_t* indices;  // [count] into windows: this group's, one for each lane
  std::uint32_t count;           // at least 1
  std::uint32_t rows;            // positions of the longest query
  std::uint32_t edits;           // the most edits that a query allows
  std::uint32_t width;           // positions of the widest window

  std::uint32_t band() const { return width + 2 * edits; }
};

// The position of the text that is position 0 of a window's lane; it may be negative. `rows`: the group's, spare rows
// included.
[[gnu::always_inline]] constexpr std::int64_t lane_begin(const WindowGroup& group, const QueryWindow& window,
                                                         std::uint32_t rows) {
  return std::int64_t{window.first} - (rows - 1) - group.edits;
}

// 64 positions of a text's plane from `position` on, which may lie before the text; what lies outside of it is 0.
[[gnu::always_inline]] constexpr std::uint64_t text_positions(const std::uint64_t* plane, std::uint32_t positions,
                                                              std::int64_t position) {
  if (position <= -64) return 0;
  if (position < 0) return plane[0] << -position;
  const std::uint64_t at =
      static_cast<std::uint64_t>(position) < positions ? static_cast<std::uint64_t>(position) : positions;
  const unsigned shift = at % 64;
  return plane[at / 64] >> shift | plane[at / 64 + 1] << 1 << (63 - shift);
}

// The positions that lie before the text, among the 64 positions from `position` on.
[[gnu::always_inline]] constexpr std::uint64_t before_text(std::int64_t position) {
  if (position <= -64) return ~std::uint64_t{0};
  return position < 0 ? ~(~std::uint64_t{0} << -position) : 0;
}

// 64 rows of a lane.
struct LaneRows {
  std::uint64_t lo, hi, known;  // as in ReadQueryView
  std::uint64_t spare;          // rows in front of the query: they match everything, also what lies before the text
};

// Word `word` of a query in a lane that has `words` words. The query's own words are the last of them.
[[gnu::always_inline]] inline LaneRows lane_rows(const ReadQueryView& reads, const ReadQuery& query,
                                                 std::uint32_t words, std::uint32_t word) {
  const std::uint32_t in_front = words - query.words();
  if (word < in_front) return {0, 0, 0, ~std::uint64_t{0}};
  const std::uint32_t at = query.first_word + word - in_front;
  const std::uint64_t spare = word == in_front ? (std::uint64_t{1} << spare_positions(query)) - 1 : 0;
  return {reads.lo[at], reads.hi[at], reads.known[at], spare};
}

// How a room searches windows on the CPU.
struct WindowScan {
  using WindowScanFunction = void (*)(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group,
                                      std::uint64_t* scratch, EndSink& sink);
  // 64-bit words of scratch memory, aligned to 64 bytes, that a run needs.
  using ScratchWords = std::size_t (*)(const WindowGroup& group);

  WindowScanFunction run;
  ScratchWords scratch_words;
  std::uint32_t lanes;  // windows that a group may have at most
};

// A room's <room>_windows, which BASESWEEP_PER_ISA (lib/base/isa.hpp) declares.
using MakeWindowScan = WindowScan();

}  // namespace basesweep
