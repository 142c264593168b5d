// The matrix of costs of an alignment, in a band as wide as the query's indels allow, for one text or several at once.
// Private to alignments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lib/align/cost.hpp"
#include "lib/base/dna.hpp"

namespace basesweep {

// A cell of a band belongs to one text, or is a vector with a number for each of kTexts texts. The low bits of a sum of
// costs count indels, the others edits.
struct OneText {
  using Cell = std::int32_t;
  using Letter = BaseSet;
  using Count = std::int32_t;
  static constexpr std::size_t kTexts = 1;
  static constexpr unsigned kEditsShift = 14;  // a query has fewer than 2^14 positions
  static constexpr Count kNowhere = 1 << 30;   // infinite cost; adding the costs of a whole path does not overflow
  static constexpr bool kCapped = false;       // costs are never above kNowhere

  static Cell without_match(Letter letter, BaseSet position) { return (letter & position) != 0 ? 0 : -1; }
  static void set(Letter& letters, std::size_t, BaseSet letter) { letters = letter; }
  static void set_count(Cell& cell, std::size_t, Count count) { cell = count; }
  static Count count(Cell cell, std::size_t) { return cell; }
  static Cell all(Count count) { return count; }
};

template <class Int, std::size_t kSize, unsigned kShift, bool kCap>
struct ManyTexts {
  using Count = Int;
  using Cell [[gnu::vector_size(kSize * sizeof(Int))]] = Int;
  using Letter = Cell;
  static constexpr std::size_t kTexts = kSize;
  static constexpr unsigned kEditsShift = kShift;
  static constexpr Count kNowhere = Int{1} << (8 * sizeof(Int) - 2);
  static constexpr bool kCapped = kCap;

  static Cell without_match(Letter letter, BaseSet position) { return (letter & all(position)) == all(0); }
  static void set(Letter& letters, std::size_t text, BaseSet letter) { letters[text] = letter; }
  static void set_count(Cell& cell, std::size_t text, Count count) { cell[text] = count; }
  static Count count(Cell cell, std::size_t text) { return cell[text]; }
  static Cell all(Count count) { return Cell{} + count; }
};
// It holds sums of at most kMaxEdits edits, and the mismatches of at most kMaxPositions positions.
struct EightTexts : ManyTexts<std::int16_t, 8, 6, true> {
  static constexpr std::uint32_t kMaxEdits = 63;
  static constexpr std::uint32_t kMaxPositions = 1 << 13;
};
using FourTexts = ManyTexts<std::int32_t, 4, 14, false>;

// The rows of the matrix of costs, one for each position of the query. Row i, diagonal d (of -indels..indels) is the
// cost of aligning the first i positions to the first i + d letters of the text.
//
// There are two kinds. Without limits on single kinds of edits, the least (edits, indels) of a cell follows from
// those of its neighbours, so a cell is one number: edits in the high bits, indels in the low ones (`sums`). With such
// limits it does not: the cheapest way to a cell may use up an indel that is needed later. Then a row has a layer for
// each number of indels, and a cell keeps the fewest mismatches with that many indels (`layers`). In both kinds a
// mismatch adds mismatch(), and an indel adds indel() and moves climb() layers up.
enum class BandKind { sums, layers };

template <class Texts>
class CostBand {
 public:
  using Cell = typename Texts::Cell;
  using Count = typename Texts::Count;
  using Letter = typename Texts::Letter;

  // Sets the kind and the width of the band. To be called before anything else.
  void shape(BandKind kind, std::uint32_t indels) {
    const bool sums = kind == BandKind::sums;
    indels_ = indels;
    layers_ = sums ? 1 : std::size_t{indels} + 1;
    stride_ = 2 * std::size_t{indels} + 3;
    climb_ = sums ? 0 : 1;
    mismatch_ = sums ? kMismatch : 1;
    indel_ = sums ? kIndel : 0;
  }
  // Cells of a row.
  std::size_t cells() const { return (layers_ + 1) * stride_; }
  // Index in a row of the cell of a diagonal in a layer.
  std::size_t at(std::uint32_t layer, std::int64_t diagonal) const {
    return (layer + 1) * stride_ + static_cast<std::size_t>(diagonal + indels_ + 1);
  }
  // Fills row 0: no position of the query, so d letters of text are d indels.
  void first_row(Cell* row) const {
    std::fill_n(row, cells(), Texts::all(Texts::kNowhere));
    for (std::int64_t d = 0; d <= indels_; ++d)
      row[at(climb_ * static_cast<std::uint32_t>(d), d)] = Texts::all(static_cast<Count>(d * indel_));
  }
  // Fills the row after `before` and returns its least costs. `text` points to the letter on diagonal -indels of the
  // new row; the letters of all diagonals are read.
  Cell next_row(BaseSet position, const Letter* text, const Cell* before, Cell* row) const {
    return climb_ == 0 ? next_sums(position, text, before, row) : next_layers(position, text, before, row);
  }

  // The cost in a cell of a text if it is within `limits`, otherwise kNoAlignment.
  Cost cost(const Cell* row, std::int64_t diagonal, const Limits& limits, std::size_t text = 0) const {
    if (climb_ == 0) return cost_of(Texts::count(row[at(0, diagonal)], text), limits);
    Cost least = kNoAlignment;
    for (std::uint32_t indels = 0; indels < layers_; ++indels) {
      const auto mismatches = static_cast<std::uint32_t>(Texts::count(row[at(indels, diagonal)], text));
      if (mismatches > limits.mismatches || mismatches + indels > limits.edits) continue;
      // The diagonal is the number of text bases alone less the number of positions alone; `indels` is their sum.
      const std::int64_t twice_dna = indels + diagonal;
      if (twice_dna > 2 * std::int64_t{limits.dna_bulges} || indels - diagonal > 2 * std::int64_t{limits.rna_bulges})
        continue;
      least = std::min(least, Cost{mismatches + indels, indels});
    }
    return least;
  }
  // The same for the sum of a cell of a band of sums.
  Cost cost_of(Count cell, const Limits& limits) const {
    const auto sum = static_cast<std::uint32_t>(cell);
    const Cost cost{sum >> Texts::kEditsShift, sum & ((1U << Texts::kEditsShift) - 1)};
    return cost.edits <= limits.edits ? cost : kNoAlignment;
  }
  // Whether no alignment of any text within `limits` goes through a row with these least costs.
  bool too_high(Cell least, const Limits& limits) const {
    const std::uint32_t most =
        climb_ == 0 ? ((limits.edits + 1) << Texts::kEditsShift) - 1 : std::uint32_t{limits.mismatches};
    for (std::size_t text = 0; text < Texts::kTexts; ++text) {
      if (static_cast<std::uint32_t>(Texts::count(least, text)) <= most) return false;
    }
    return true;
  }

  std::uint32_t climb() const { return climb_; }
  Count mismatch() const { return mismatch_; }
  Count indel() const { return indel_; }

 private:
  static constexpr Count kMismatch = Count{1} << Texts::kEditsShift;
  static constexpr Count kIndel = kMismatch + 1;

  static Cell less(Cell a, Cell b) { return a < b ? a : b; }

  Cell next_sums(BaseSet position, const Letter* text, const Cell* before, Cell* row) const {
    Cell least = Texts::all(Texts::kNowhere);
    Cell here = least;
    for (std::size_t d = stride_ + 1; d < 2 * stride_ - 1; ++d) {
      const Cell diagonal = before[d] + (Texts::without_match(text[d - stride_ - 1], position) & Texts::all(kMismatch));
      here = less(less(diagonal, before[d + 1] + kIndel), here + kIndel);
      if constexpr (Texts::kCapped) here = less(here, Texts::all(Texts::kNowhere));
      row[d] = here;
      least = less(least, here);
    }
    return least;
  }

  Cell next_layers(BaseSet position, const Letter* text, const Cell* before, Cell* row) const {
    Cell least = Texts::all(Texts::kNowhere);
    for (std::size_t layer = 1; layer <= layers_; ++layer) {
      // With y indels a path is at most y diagonals away from the middle.
      const std::size_t first = layers_ - layer + 1;
      const std::size_t last = stride_ - 1 - first;
      const Cell* same = before + layer * stride_;
      const Cell* without_text = same - stride_ + 1;
      Cell* __restrict to = row + layer * stride_;
      const Cell* __restrict without_position = row + (layer - 1) * stride_ - 1;
      for (std::size_t d = first; d <= last; ++d) {
        const Cell diagonal = same[d] + (Texts::without_match(text[d - 1], position) & Texts::all(1));
        to[d] = less(diagonal, less(without_text[d], without_position[d]));
        least = less(least, to[d]);
      }
    }
    return least;
  }

  std::size_t layers_ = 1;
  // Cells of a layer: its diagonals and a border cell of infinite cost at either end. Before the first layer there is
  // one of border cells only.
  std::size_t stride_ = 0;
  std::int64_t indels_ = 0;
  std::uint32_t climb_ = 0;
  Count mismatch_ = 0;
  Count indel_ = 0;
};

}  // namespace basesweep
