// Edits and places of patterns in texts, by whole matrices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/iupac_letters.hpp"
#include "lib/demux/barcode_set.hpp"

namespace basesweep::test_barcode_caller {

inline constexpr std::uint32_t kNever = 1'000'000;

inline std::string turn(const std::string& bases) {
  std::string turned(bases.rbegin(), bases.rend());
  for (char& letter : turned) letter = complement_letter(letter);
  return turned;
}

// A cell of the matrix: the edits, and where the alignment begins, the last place of those with as few edits.
struct Cell {
  std::uint32_t edits;
  std::size_t begin;
};

// The last row of the matrix of a pattern and a text.
inline std::vector<Cell> last_row(const std::string& pattern, const std::string& text) {
  const auto better = [](Cell one, Cell other) {
    return one.edits != other.edits ? (one.edits < other.edits ? one : other)
                                    : (one.begin >= other.begin ? one : other);
  };
  std::vector<std::vector<Cell>> cells(pattern.size() + 1, std::vector<Cell>(text.size() + 1));
  for (std::size_t j = 0; j <= text.size(); ++j) cells[0][j] = {0, j};
  for (std::size_t i = 1; i <= pattern.size(); ++i) {
    for (std::size_t j = 0; j <= text.size(); ++j) {
      Cell cell{cells[i - 1][j].edits + 1, cells[i - 1][j].begin};
      if (j > 0) {
        const BaseSet base = iupac_set(text[j - 1]);
        const bool same = is_single_base(base) && (pattern_letter_set(pattern[i - 1]) & base) != 0;
        cell = better(cell, {cells[i][j - 1].edits + 1, cells[i][j - 1].begin});
        cell = better(cell, {cells[i - 1][j - 1].edits + (same ? 0 : 1), cells[i - 1][j - 1].begin});
      }
      cells[i][j] = cell;
    }
  }
  return cells.back();
}

inline std::uint32_t edits_in(const std::string& pattern, const std::string& text) {
  std::uint32_t least = kNever;
  for (const Cell& cell : last_row(pattern, text)) least = std::min(least, cell.edits);
  return least;
}

struct Interval {
  std::size_t begin, end;
};

inline Interval place_of(const Barcode& barcode, const std::string& text) {
  const std::vector<Cell> row = last_row(barcode.left + barcode.barcode + barcode.right, text);
  std::size_t end = 0;
  for (std::size_t j = 1; j < row.size(); ++j) {
    if (row[j].edits < row[end].edits) end = j;
  }
  return {row[end].begin, end};
}

}  // namespace basesweep::test_barcode_caller
