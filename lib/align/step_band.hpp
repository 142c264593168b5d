// The steps of the best alignments of a query to one text, found for all diagonals of a band at once in vectors.
// Private to alignments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "lib/align/cost.hpp"
#include "lib/base/dna.hpp"

namespace basesweep {

// How the best alignment comes to a cell. Of several ways the first one counts.
enum class Step : std::int16_t { match, mismatch, text_alone, position_alone };

// Row i holds the alignments of the first i positions of the query. Its cell d + below, that of diagonal d, holds those
// to the first i + d letters of the text. No single kind of edit is limited, so the least (edits, indels) of a cell
// follows from those of its neighbours (see CostBand).
template <std::size_t kCells>
class StepBand {
 public:
  static constexpr std::uint32_t kMaxEdits = 127;

  // Finds the last step to each cell. `text` points to the letter on diagonal -below of row 1. As many letters as
  // positions, and kCells more, can be read.
  void fill(std::span<const BaseSet> positions, const BaseSet* text, std::size_t below) {
    steps_.resize((positions.size() + 1) * kCells);
    below_ = below;
    const Row offsets = each_cell([](std::size_t cell) { return cell * kIndelCost; });
    Row here = each_cell([&](std::size_t cell) { return cell < below ? 0 : kMost - (cell - below) * kIndelCost; });
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Row without_text = towards_first(here);
      Row differs;
      Row diagonal;
      for (std::size_t part = 0; part < kParts; ++part) {
        Letters letters;
        std::memcpy(&letters, text + i + part * kPart, sizeof letters);
        differs[part] = (__builtin_convertvector(letters, Part) & positions[i]) == 0;
        diagonal[part] = here[part] - (differs[part] & kMismatchCost);
        here[part] = larger(diagonal[part], without_text[part] - kIndelCost) + offsets[part];
      }
      // Text alone, any number of letters: each cell takes the best of all cells before it.
      here = up_to_here(here);
      for (std::size_t part = 0; part < kParts; ++part) here[part] = larger(here[part] - offsets[part], Part{});
      const Row without_position = towards_last<1>(here);
      for (std::size_t part = 0; part < kParts; ++part) {
        const Part other =
            without_position[part] - kIndelCost == here[part] ? all(Step::text_alone) : all(Step::position_alone);
        const Part step = diagonal[part] == here[part] ? differs[part] & all(Step::mismatch) : other;
        std::memcpy(&steps_[(i + 1) * kCells + part * kPart], &step, sizeof step);
      }
    }
    std::memcpy(last_.data(), here.data(), sizeof last_);
  }

  // The cost of the alignment of all positions that ends on a diagonal; kNoAlignment above kMaxEdits.
  Cost cost(std::int64_t diagonal) const {
    const auto sum = static_cast<std::uint32_t>(kMost - last_[cell_of(diagonal)]);
    const Cost cost{sum >> kEditsShift, sum & ((1U << kEditsShift) - 1)};
    return cost.edits <= kMaxEdits ? cost : kNoAlignment;
  }

  // The last step to the cell after i positions, i > 0.
  Step step(std::size_t i, std::int64_t diagonal) const {
    return static_cast<Step>(steps_[i * kCells + cell_of(diagonal)]);
  }

 private:
  // A cell is kMost less its cost, and at least 0. So the zeros that a shift brings in are cells of infinite cost. The
  // low bits of a cost count indels, the others edits. A path of at most kMaxEdits edits has fewer indels than the low
  // bits can count.
  static constexpr unsigned kEditsShift = 7;
  static constexpr std::int16_t kMost = (kMaxEdits + 1) << kEditsShift;
  static constexpr std::int16_t kMismatchCost = 1 << kEditsShift;
  static constexpr std::int16_t kIndelCost = kMismatchCost + 1;
  static_assert(kMaxEdits < 1 << kEditsShift);
  static_assert(kMost + kCells * kIndelCost <= 32767);  // the largest number in fill()

  static constexpr std::size_t kPart = 8;
  static constexpr std::size_t kParts = kCells / kPart;
  using Part [[gnu::vector_size(kPart * sizeof(std::int16_t))]] = std::int16_t;
  using Letters [[gnu::vector_size(kPart)]] = BaseSet;
  // The cells of a row. It is no std::array, which would lose the attributes of Part.
  struct Row {
    Part parts[kParts];
    Part& operator[](std::size_t part) { return parts[part]; }
    const Part& operator[](std::size_t part) const { return parts[part]; }
    const Part* data() const { return parts; }
  };

  std::size_t cell_of(std::int64_t diagonal) const {
    return static_cast<std::size_t>(diagonal + static_cast<std::int64_t>(below_));
  }
  static Part all(Step step) { return Part{} + static_cast<std::int16_t>(step); }
  static Part larger(Part a, Part b) { return a > b ? a : b; }
  template <class Number>
  static Row each_cell(Number number) {
    Row row{};
    for (std::size_t cell = 0; cell < kCells; ++cell)
      row[cell / kPart][cell % kPart] = static_cast<std::int16_t>(number(cell));
    return row;
  }

  // Returns cells kFirst to kFirst + 7 of two parts that follow each other.
  template <std::size_t kFirst>
  static Part between(Part first, Part second) {
    return [&]<std::size_t... kCell>(std::index_sequence<kCell...>) {
      return __builtin_shufflevector(first, Part{}, (kFirst + kCell < kPart ? kFirst + kCell : kPart)...) |
             __builtin_shufflevector(second, Part{}, (kFirst + kCell < kPart ? kPart : kFirst + kCell - kPart)...);
    }
    (std::make_index_sequence<kPart>());
  }
  template <std::size_t kShift>
  static Row towards_last(const Row& row) {
    constexpr std::size_t kWhole = kShift / kPart;
    Row moved{};
    for (std::size_t part = kWhole; part < kParts; ++part) {
      if constexpr (kShift % kPart == 0) {
        moved[part] = row[part - kWhole];
      } else {
        moved[part] = between<kPart - kShift>(part == 0 ? Part{} : row[part - 1], row[part]);
      }
    }
    return moved;
  }
  static Row towards_first(const Row& row) {
    Row moved;
    for (std::size_t part = 0; part < kParts; ++part)
      moved[part] = between<1>(row[part], part + 1 == kParts ? Part{} : row[part + 1]);
    return moved;
  }
  // Each cell becomes the largest of the cells up to it.
  template <std::size_t kShift = 1>
  static Row up_to_here(Row row) {
    const Row before = towards_last<kShift>(row);
    for (std::size_t part = 0; part < kParts; ++part) row[part] = larger(row[part], before[part]);
    if constexpr (2 * kShift < kCells) row = up_to_here<2 * kShift>(row);
    return row;
  }

  std::vector<std::int16_t> steps_;  // of all rows; row 0 is not used
  std::array<std::int16_t, kCells> last_{};
  std::size_t below_ = 0;
};

}  // namespace basesweep
