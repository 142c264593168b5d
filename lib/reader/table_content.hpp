// How much of a table's columns is sequence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/table_rows.hpp"

namespace basesweep {

// A column whose cells are all at most this long may hold flags or short names that happen to be IUPAC letters.
inline constexpr std::size_t kShortCell = 3;
// A first column whose cells are at least this long holds sequences rather than names, if they are IUPAC letters.
inline constexpr std::size_t kLongCell = 10;

// A pattern table that was split with one of the separators.
struct PatternTable {
  std::string path;  // for messages
  TableLines lines;
  std::vector<Cells> rows;  // of lines.rows
  std::size_t width = 0;    // cells of the longest row

  // The cell of a row; "" where the row is shorter.
  const std::string& cell(std::size_t row, std::size_t column) const;
};

// Which texts count as sequences.
enum class Spelling {
  plain,    // nucleotides and IUPAC codes only, in one sequence or several with '|' between them
  written,  // also those with blanks, marks of ends and modifications, if they are longer than kShortCell
};

bool is_sequence(std::string_view text, Spelling spelling = Spelling::plain);

// How much of a column is sequence.
struct Content {
  std::size_t sequences = 0;
  std::size_t nearly = 0;  // sequences but for a few letters, probably typing errors
  std::size_t others = 0;
  std::size_t empty = 0;
  std::size_t shortest = ~std::size_t{0};  // length of a sequence
  std::size_t longest = 0;                 // of one, or nearly one

  bool pure() const { return nearly + others + empty == 0; }
  // Whether the column may have been meant to hold sequences.
  bool mostly() const { return sequences + nearly > others; }
};

// Counts the cells of a column from a row on.
Content content_of(const PatternTable& table, std::size_t column, std::size_t first_row,
                   Spelling spelling = Spelling::plain);

}  // namespace basesweep
