// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/cpu/window_scan.hpp"

#include "kernels/approximate/bitsliced/vector.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// Bit t of lane n belongs to window 64 n + t of a group.
constexpr std::uint32_t kWindows = 64 * kLanes;
constexpr std::uint32_t kStep = 4;  // rows that go through a rectangle together: as many as registers hold
constexpr int kMaxBits = 12;        // in a counter

// Says where a group's data lie in scratch memory. Each row or position takes a Word.
struct ScratchLayout {
  explicit ScratchLayout(const WindowGroup& group) {
    rows = (group.rows + kStep - 1) / kStep * kStep;
    words = (rows + 63) / 64;
    rectangle = group.band() + kStep - 1;
    position_blocks = (rows - kStep + rectangle + 63) / 64;
    const std::size_t row_count = std::size_t{64} * words;
    const std::size_t position_count = std::size_t{64} * position_blocks;
    lo = 0;
    hi = lo + row_count;
    unknown = hi + row_count;
    spare = unknown + row_count;
    text_lo = spare + row_count;
    text_hi = text_lo + position_count;
    outside = text_hi + position_count;
    horizontal = outside + position_count;
    all = horizontal + 2 * (std::size_t{rectangle} + kStep);
  }
  std::uint32_t rows;       // with the spare rows, which are the last bits of the words
  std::uint32_t words;      // in a query
  std::uint32_t rectangle;  // positions of the rectangle that kStep rows go through
  std::uint32_t position_blocks;
  std::size_t lo, hi, unknown, spare;     // a Word for each row
  std::size_t text_lo, text_hi, outside;  // a Word for each position
  std::size_t horizontal;                 // Ph and Mh below the last rows, at the rectangle's positions
  std::size_t all;
};

// The rows and positions of a rectangle: kStep rows of the matrix, and the columns that k edits allow them.
struct Rows {
  const Word* lo;
  const Word* hi;
  const Word* unknown;
  const Word* spare;
};
struct Positions {
  const Word* lo;
  const Word* hi;
  const Word* outside;
};

// Moves rows through a rectangle. On entry `horizontal` has the differences below the rectangle above, which begins
// kStep positions further left. `plain`: no row is spare or unknown, and no position lies outside the text.
template <bool plain>
[[gnu::noinline]] void advance_rows(const Rows& rows, const Positions& positions, Word* horizontal,
                                    std::uint32_t count) {
  Word pv[kStep];
  Word mv[kStep];
  for (std::uint32_t r = 0; r < kStep; ++r) {
    pv[r] = ~Word{};
    mv[r] = Word{};
  }
  for (std::uint32_t c = 0; c < count; ++c) {
    Word ph = horizontal[2 * (c + kStep)];
    Word mh = horizontal[2 * (c + kStep) + 1];
    const Word lo = positions.lo[c];
    const Word hi = positions.hi[c];
#pragma GCC unroll 4
    for (std::uint32_t r = 0; r < kStep; ++r) {
      Word ne = Logic::a_or_b_differs_c(rows.lo[r] ^ lo, rows.hi[r], hi);
      if constexpr (!plain) ne = (ne | rows.unknown[r] | positions.outside[c]) & ~rows.spare[r];
      bitsliced::cell<Logic>(ne, pv[r], mv[r], ph, mh);
    }
    horizontal[2 * c] = ph;
    horizontal[2 * c + 1] = mh;
  }
}

// For each window the score less the query's edits + 1; x[b] has bit b of all.
template <int bits>
struct Counters {
  Word x[bits];

  void add(const Word* horizontal, std::uint32_t positions) {
    for (std::uint32_t c = 0; c < positions; ++c) {
      bitsliced::count<Logic>(x, horizontal[2 * c], horizontal[2 * c + 1]);
    }
  }
  std::uint32_t value(std::uint32_t lane, unsigned t) const {
    std::uint32_t value = 0;
    for (int b = 0; b < bits; ++b) value |= static_cast<std::uint32_t>(x[b][lane] >> t & 1) << b;
    return value;
  }
};

class GroupScan {
 public:
  GroupScan(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
            EndSink& sink)
      : reads_(reads),
        text_(text),
        group_(group),
        layout_(group),
        words_(reinterpret_cast<Word*>(scratch)),
        sink_(sink) {}

  template <int bits>
  void run() {
    transpose_rows();
    transpose_text();
    Counters<bits> counters = start_counters<bits>();
    Word* horizontal = words_ + layout_.horizontal;
    set_horizontal(0, layout_.rectangle + kStep, Word{});
    for (std::uint32_t row = 0; row < layout_.rows; row += kStep) {
      advance(row);
      if (row == 0) set_horizontal(layout_.rectangle, layout_.rectangle + kStep, ~Word{});
      if (row + kStep != layout_.rows) counters.add(horizontal, kStep);
    }
    const std::uint32_t first = kStep - 1 + group_.edits;  // the windows' first position in the rectangle
    counters.add(horizontal, first);
    for (std::uint32_t c = 0; c < group_.width; ++c) {
      counters.add(horizontal + 2 * (first + c), 1);
      if (any(counters.x[bits - 1])) send(c, counters);
    }
  }

 private:
  const QueryWindow& window(std::uint32_t i) const { return group_.windows[group_.indices[i]]; }
  const ReadQuery& query(std::uint32_t i) const { return reads_.queries[window(i).query]; }

  void transpose_rows() {
    for (std::uint32_t w = 0; w < layout_.words; ++w) {
      Word planes[4][64];
      for (std::uint32_t i = 0; i < kWindows; ++i) {
        const LaneRows rows =
            i < group_.count ? lane_rows(reads_, query(i), layout_.words, w) : LaneRows{0, 0, ~std::uint64_t{0}, 0};
        planes[0][i % 64][i / 64] = rows.lo;
        planes[1][i % 64][i / 64] = rows.hi;
        planes[2][i % 64][i / 64] = ~rows.known;
        planes[3][i % 64][i / 64] = rows.spare;
      }
      const std::size_t places[] = {layout_.lo, layout_.hi, layout_.unknown, layout_.spare};
      for (int p = 0; p < 4; ++p) write_transposed(planes[p], words_ + places[p] + 64 * w);
    }
  }

  void transpose_text() {
    for (std::uint32_t block = 0; block < layout_.position_blocks; ++block) {
      Word lo[64];
      Word hi[64];
      Word outside[64];
      bool some_outside = false;
      for (std::uint32_t i = 0; i < kWindows; ++i) {
        const std::int64_t position = i < group_.count ? lane_begin(group_, window(i), layout_.rows) + 64 * block : 0;
        lo[i % 64][i / 64] = text_positions(text_.lo, text_.positions, position);
        hi[i % 64][i / 64] = text_positions(text_.hi, text_.positions, position);
        outside[i % 64][i / 64] = before_text(position);
        some_outside = some_outside || position < 0;
      }
      write_transposed(lo, words_ + layout_.text_lo + 64 * block);
      write_transposed(hi, words_ + layout_.text_hi + 64 * block);
      Word* outside_positions = words_ + layout_.outside + 64 * block;
      if (some_outside) {
        write_transposed(outside, outside_positions);
        outside_end_ = 64 * (block + 1);
      } else {
        for (int c = 0; c < 64; ++c) outside_positions[c] = Word{};
      }
    }
  }

  static void write_transposed(Word (&rows)[64], Word* out) {
    transpose(rows);
    for (int i = 0; i < 64; ++i) out[i] = rows[i];
  }

  template <int bits>
  Counters<bits> start_counters() const {
    Counters<bits> counters{};
    for (std::uint32_t i = 0; i < kWindows; ++i) {
      const std::uint64_t score = i < group_.count ? layout_.rows - query(i).edits - 1 : layout_.rows;
      for (int b = 0; b < bits; ++b) counters.x[b][i / 64] |= (score >> b & 1) << (i % 64);
    }
    return counters;
  }

  void set_horizontal(std::uint32_t begin, std::uint32_t end, Word ph) {
    Word* horizontal = words_ + layout_.horizontal;
    for (std::uint32_t c = begin; c < end; ++c) {
      horizontal[2 * c] = ph;
      horizontal[2 * c + 1] = Word{};
    }
  }

  void advance(std::uint32_t row) {
    const std::size_t at = 64 * layout_.words - layout_.rows + row;
    const Rows rows{words_ + layout_.lo + at, words_ + layout_.hi + at, words_ + layout_.unknown + at,
                    words_ + layout_.spare + at};
    const Positions positions{words_ + layout_.text_lo + row, words_ + layout_.text_hi + row,
                              words_ + layout_.outside + row};
    Word special{};
    for (std::uint32_t r = 0; r < kStep; ++r) special |= rows.unknown[r];  // spare rows are unknown too
    Word* horizontal = words_ + layout_.horizontal;
    if (row >= outside_end_ && !any(special)) {
      advance_rows<true>(rows, positions, horizontal, layout_.rectangle);
    } else {
      advance_rows<false>(rows, positions, horizontal, layout_.rectangle);
    }
  }

  // Sends the ends at position `c` of the windows.
  template <int bits>
  void send(std::uint32_t c, const Counters<bits>& counters) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      for (std::uint64_t found = counters.x[bits - 1][lane]; found != 0; found &= found - 1) {
        const auto t = static_cast<unsigned>(__builtin_ctzll(found));
        const std::uint32_t i = 64 * lane + t;
        if (i >= group_.count) return;
        if (c >= window(i).end - window(i).first) continue;
        const std::uint32_t edits = counters.value(lane, t) + query(i).edits + 1 - (1U << bits);
        sink_.end(group_.indices[i], window(i).first + c, edits);
      }
    }
  }

  const ReadQueryView& reads_;
  const PackedView& text_;
  const WindowGroup& group_;
  const ScratchLayout layout_;
  Word* words_;
  EndSink& sink_;
  std::uint32_t outside_end_ = 0;  // first position, of the matrix, from which on all windows lie in the text
};

// Bits of a counter. Scores lie between 0 and rows; less edits + 1, they need one bit more than the larger of the two.
int count_bits(const WindowGroup& group) {
  const std::uint32_t most = group.rows + kStep > group.edits + 1 ? group.rows + kStep : group.edits + 1;
  return most <= 1U << 6 ? 7 : most <= 1U << 8 ? 9 : kMaxBits;
}

void run(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
         EndSink& sink) {
  GroupScan scan(reads, text, group, scratch, sink);
  switch (count_bits(group)) {
    case 7: return scan.run<7>();
    case 9: return scan.run<9>();
    default: return scan.run<kMaxBits>();
  }
}

std::size_t scratch_words(const WindowGroup& group) { return ScratchLayout(group).all * kLanes; }

}  // namespace

WindowScan bitsliced_windows() { return {run, scratch_words, kWindows}; }

}  // namespace basesweep::BASESWEEP_ISA
