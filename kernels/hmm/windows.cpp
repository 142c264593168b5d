// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/hmm/windows.hpp"

#include "kernels/hmm/step.hpp"
#include "kernels/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using Cells = std::int16_t __attribute__((vector_size(kWordBytes)));
constexpr std::uint32_t kWindows = kWordBytes / 2;
constexpr std::uint32_t kStep = 4;  // rows that are taken through a rectangle together, as many as registers hold

// Sets of bases: a cell's bases match where they have one in common. What is no base is in no set, but spare rows take
// also what lies before the text.
constexpr std::int16_t kBeforeText = 16;
constexpr std::int16_t kSpare = 31;

struct Layout {
  explicit Layout(const WindowGroup& group) {
    rows = (group.rows + kStep - 1) / kStep * kStep;
    rectangle = group.band() + kStep - 1;
    columns = rows - kStep + rectangle;
  }
  std::size_t all() const { return std::size_t{rows} + columns + rectangle + kStep; }
  std::uint32_t rows;
  std::uint32_t rectangle;  // its columns
  std::uint32_t columns;
};

// Takes rows through a rectangle. `values`: of the row above, or below, at the rectangle's columns, with the column's
// number added, so that a left neighbour's -1 vanishes. On entry those of the rectangle above, which begins kStep
// columns further left.
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
    const Cells column = text[c];
    const Cells above = values[c + kStep];
    Cells diagonal = corner;
    Cells up = above;
#pragma GCC unroll 4
    for (std::uint32_t r = 0; r < kStep; ++r) {
      const Cells gain = two + ((rows[r] & column) == 0);
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
  GroupScan(const SoughtView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
            EndSink& sink)
      : reads_(reads),
        text_(text),
        group_(group),
        layout_(group),
        rows_(reinterpret_cast<Cells*>(scratch)),
        columns_(rows_ + layout_.rows),
        values_(columns_ + layout_.columns),
        sink_(sink) {}

  void run() {
    for (std::uint32_t lane = 0; lane < kWindows; ++lane) {
      load_rows(lane);
      load_text(lane);
    }
    // Row 0 is 0; its column before the rectangle's first has number 0.
    for (std::uint32_t c = 0; c < layout_.rectangle + kStep; ++c) {
      values_[c] = Cells{} + static_cast<std::int16_t>(c + 1 - kStep);
    }
    for (std::uint32_t row = 0; row < layout_.rows; row += kStep) {
      advance_rows(rows_ + row, columns_ + row, values_, layout_.rectangle);
      for (std::uint32_t c = 0; c < kStep; ++c) {
        values_[layout_.rectangle + c] = values_[layout_.rectangle - 1];
      }
    }
    send();
  }

 private:
  const SoughtWindow& window(std::uint32_t lane) const { return group_.windows[group_.indices[lane]]; }
  const SoughtEntry& entry(std::uint32_t lane) const { return reads_.entries[window(lane).entry]; }

  void load_rows(std::uint32_t lane) {
    const std::uint32_t words = (layout_.rows + 63) / 64;
    for (std::uint32_t row = 0; row < layout_.rows;) {
      const std::uint32_t bit = 64 * words - layout_.rows + row;
      LaneRows rows{};
      if (lane < group_.count) rows = lane_rows(reads_, entry(lane), words, bit / 64);
      for (std::uint32_t b = bit % 64; b < 64; ++b, ++row) {
        const auto set =
            static_cast<std::int16_t>((rows.known >> b & 1) << ((rows.lo >> b & 1) | (rows.hi >> b & 1) << 1));
        rows_[row][lane] = (rows.spare >> b & 1) != 0 ? kSpare : set;
      }
    }
  }

  void load_text(std::uint32_t lane) {
    for (std::uint32_t column = 0; column < layout_.columns; column += 64) {
      const std::int64_t at = lane < group_.count ? lane_begin(group_, window(lane), layout_.rows) + column : 0;
      const std::uint64_t lo = text_columns(text_.lo, text_.columns, at);
      const std::uint64_t hi = text_columns(text_.hi, text_.columns, at);
      const std::uint64_t outside = before_text(at);
      for (std::uint32_t b = 0; b < 64 && column + b < layout_.columns; ++b) {
        const auto base = static_cast<std::int16_t>(1 << ((lo >> b & 1) | (hi >> b & 1) << 1));
        columns_[column + b][lane] = (outside >> b & 1) != 0 ? kBeforeText : base;
      }
    }
  }

  void send() {
    const std::uint32_t first = kStep - 1 + group_.edits;
    // Columns are numbered from the first rectangle's column before its first on.
    const std::uint32_t number = layout_.rows - kStep + first + 1;
    Cells least{};  // value of an end in the windows' first column
    for (std::uint32_t lane = 0; lane < kWindows; ++lane) {
      const std::uint32_t edits = lane < group_.count ? entry(lane).edits : 0;
      least[lane] = static_cast<std::int16_t>(layout_.rows - edits + number);
    }
    for (std::uint32_t c = 0; c < group_.width; ++c) {
      const auto found = values_[first + c] >= least + static_cast<std::int16_t>(c);
      if (any(reinterpret_cast<Word>(found))) send(c, values_[first + c], number + c);
    }
  }

  void send(std::uint32_t c, const Cells& values, std::uint32_t number) {
    for (std::uint32_t lane = 0; lane < group_.count; ++lane) {
      const SoughtWindow& window = this->window(lane);
      const std::uint32_t edits = layout_.rows + number - static_cast<std::uint32_t>(values[lane]);
      if (edits <= entry(lane).edits && c < window.end - window.first) {
        sink_.end(group_.indices[lane], window.first + c, edits);
      }
    }
  }

  const SoughtView& reads_;
  const PackedView& text_;
  const WindowGroup& group_;
  const Layout layout_;
  Cells* rows_;
  Cells* columns_;
  Cells* values_;
  EndSink& sink_;
};

void run(const SoughtView& reads, const PackedView& text, const WindowGroup& group, std::uint64_t* scratch,
         EndSink& sink) {
  GroupScan(reads, text, group, scratch, sink).run();
}

std::size_t scratch_words(const WindowGroup& group) { return Layout(group).all() * kWordBytes / sizeof(std::uint64_t); }

}  // namespace

WindowScan hmm_windows() { return {run, scratch_words, kWindows}; }

}  // namespace basesweep::BASESWEEP_ISA
