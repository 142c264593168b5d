// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/cpu/window_scan.hpp"

#include "kernels/approximate/hmm/step.hpp"
#include "kernels/cpu/word.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using Cells = std::int16_t __attribute__((vector_size(kWordBytes)));
constexpr std::uint32_t kWindows = kWordBytes / 2;
constexpr std::uint32_t kStep = 4;  // rows that go through a rectangle together: as many as registers hold

// Sets of bases: a row and a position match if their sets have a base in common. A letter that is no base is in no set.
// Spare rows also take what lies before the text.
constexpr std::int16_t kBeforeText = 16;
constexpr std::int16_t kSpare = 31;

struct ScratchLayout {
  explicit ScratchLayout(const WindowGroup& group) {
    rows = (group.rows + kStep - 1) / kStep * kStep;
    rectangle = group.band() + kStep - 1;
    positions = rows - kStep + rectangle;
  }
  std::size_t all() const { return std::size_t{rows} + positions + rectangle + kStep; }
  std::uint32_t rows;
  std::uint32_t rectangle;  // positions of the rectangle that kStep rows go through
  std::uint32_t positions;
};

// Moves rows through a rectangle. `values` has the values of a row, with the position's number added, so that the left
// neighbour's -1 vanishes: on entry the row above, for the rectangle above, which begins kStep positions further left;
// on return the last row.
[[gnu::noinline]] void advance_rows(const Cells* rows, const Cells* text, Cells* values, std::uint32_t count) {
  const Cells two = Cells{} + 2;
  const auto max = [](Cells a, Cells b, Cells c) {
    const Cells ab = a > b ? a : b;
    return ab > c ? ab : c;
  };
  Cells left[kStep];
  Cells corner = values[kStep - 1];
  for (Cells& cells : left) cells = corner;
  for (std::uint32_t c = 0; c < count; ++c) {
    const Cells base = text[c];
    const Cells above = values[c + kStep];
    Cells diagonal = corner;
    Cells up = above;
#pragma GCC unroll 4
    for (std::uint32_t r = 0; r < kStep; ++r) {
      const Cells gain = two + ((rows[r] & base) == 0);
      const Cells before = left[r];
      up = hmm::cell(before, up, diagonal, gain, max);
      left[r] = up;
      diagonal = before;
    }
    corner = above;
    values[c] = up;
  }
}

class GroupScan {
 public:
  GroupScan(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
            EndSink& sink)
      : reads_(reads),
        text_(text),
        group_(group),
        layout_(group),
        rows_(reinterpret_cast<Cells*>(scratch)),
        text_sets_(rows_ + layout_.rows),
        values_(text_sets_ + layout_.positions),
        sink_(sink) {}

  void run() {
    for (std::uint32_t lane = 0; lane < kWindows; ++lane) {
      load_rows(lane);
      load_text(lane);
    }
    // Row 0 is 0. The position before the rectangle's first has number 0.
    for (std::uint32_t c = 0; c < layout_.rectangle + kStep; ++c) {
      values_[c] = Cells{} + static_cast<std::int16_t>(c + 1 - kStep);
    }
    for (std::uint32_t row = 0; row < layout_.rows; row += kStep) {
      advance_rows(rows_ + row, text_sets_ + row, values_, layout_.rectangle);
      for (std::uint32_t c = 0; c < kStep; ++c) {
        values_[layout_.rectangle + c] = values_[layout_.rectangle - 1];
      }
    }
    send();
  }

 private:
  const QueryWindow& window(std::uint32_t lane) const { return group_.windows[group_.indices[lane]]; }
  const ReadQuery& query(std::uint32_t lane) const { return reads_.queries[window(lane).query]; }

  void load_rows(std::uint32_t lane) {
    const std::uint32_t words = (layout_.rows + 63) / 64;
    for (std::uint32_t row = 0; row < layout_.rows;) {
      const std::uint32_t bit = 64 * words - layout_.rows + row;
      LaneRows rows{};
      if (lane < group_.count) rows = lane_rows(reads_, query(lane), words, bit / 64);
      for (std::uint32_t b = bit % 64; b < 64; ++b, ++row) {
        const auto set =
            static_cast<std::int16_t>((rows.known >> b & 1) << ((rows.lo >> b & 1) | (rows.hi >> b & 1) << 1));
        rows_[row][lane] = (rows.spare >> b & 1) != 0 ? kSpare : set;
      }
    }
  }

  void load_text(std::uint32_t lane) {
    for (std::uint32_t position = 0; position < layout_.positions; position += 64) {
      const std::int64_t at = lane < group_.count ? lane_begin(group_, window(lane), layout_.rows) + position : 0;
      const std::uint64_t lo = text_positions(text_.lo, text_.positions, at);
      const std::uint64_t hi = text_positions(text_.hi, text_.positions, at);
      const std::uint64_t outside = before_text(at);
      for (std::uint32_t b = 0; b < 64 && position + b < layout_.positions; ++b) {
        const auto base = static_cast<std::int16_t>(1 << ((lo >> b & 1) | (hi >> b & 1) << 1));
        text_sets_[position + b][lane] = (outside >> b & 1) != 0 ? kBeforeText : base;
      }
    }
  }

  void send() {
    const std::uint32_t first = kStep - 1 + group_.edits;
    // Positions are numbered from the one before the first rectangle's first position.
    const std::uint32_t number = layout_.rows - kStep + first + 1;
    Cells least{};  // the least value that is an end at the windows' first position
    for (std::uint32_t lane = 0; lane < kWindows; ++lane) {
      const std::uint32_t edits = lane < group_.count ? query(lane).edits : 0;
      least[lane] = static_cast<std::int16_t>(layout_.rows - edits + number);
    }
    for (std::uint32_t c = 0; c < group_.width; ++c) {
      const auto found = values_[first + c] >= least + static_cast<std::int16_t>(c);
      if (any(reinterpret_cast<Word>(found))) send(c, values_[first + c], number + c);
    }
  }

  void send(std::uint32_t c, const Cells& values, std::uint32_t number) {
    for (std::uint32_t lane = 0; lane < group_.count; ++lane) {
      const QueryWindow& window = this->window(lane);
      const std::uint32_t edits = layout_.rows + number - static_cast<std::uint32_t>(values[lane]);
      if (edits <= query(lane).edits && c < window.end - window.first) {
        sink_.end(group_.indices[lane], window.first + c, edits);
      }
    }
  }

  const ReadQueryView& reads_;
  const PackedView& text_;
  const WindowGroup& group_;
  const ScratchLayout layout_;
  Cells* rows_;
  Cells* text_sets_;
  Cells* values_;
  EndSink& sink_;
};

void run(const ReadQueryView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
         EndSink& sink) {
  GroupScan(reads, text, group, scratch, sink).run();
}

std::size_t scratch_words(const WindowGroup& group) {
  return ScratchLayout(group).all() * kWordBytes / sizeof(std::uint64_t);
}

}  // namespace

WindowScan hmm_windows() { return {run, scratch_words, kWindows}; }

}  // namespace basesweep::BASESWEEP_ISA
