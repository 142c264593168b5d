// Rows and cells of tables in text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

using Cells = std::vector<std::string>;

// The separator between the cells of a row.
enum class Separator {
  tab,         // one tab; two in a row have an empty cell between them
  tabs,        // one tab or several
  comma,       // as in CSV
  semicolon,   // CSV of countries where the comma is in numbers
  wide_blank,  // two or more blanks, or a tab among them
  blank,       // one blank, tab or several
  none,        // a row is one cell
};

// A line that is neither empty nor a comment. The views point into the text of the table.
struct TableLine {
  std::size_t number;  // from 1
  std::string_view text;
};

struct TableLines {
  std::vector<TableLine> rows;
  std::optional<Separator> separator;  // of "sep=;", which Excel takes for the first line
  std::vector<TableLine> title;  // the comment ('#') just above the first row, without '#'; empty if there is none
};

// Leaves out empty lines, rows of empty cells (",,"), comments and lines before the rows for other programs:
// "sep=;", "track name=x" and "browser position x".
TableLines table_lines(std::string_view text);

// The separator of the lines, as "sep=;" says it or else as the line `line` has it: a tab, a comma, a semicolon or a
// blank.
Separator separator_of(const TableLines& lines, std::string_view line);

// Whether the cells are a row of BED: a name, and two places.
bool is_bed_row(const Cells& cells);

// The message about BED with fewer than seven columns.
inline constexpr const char* kBedWithoutSequences =
    "this BED has no sequences: expected them in column 7, as primalscheme writes them";

// The cells of a line, without blanks around them. A cell may be in double quotes, where two quotes mean one.
Cells split_cells(std::string_view line, Separator separator);

}  // namespace basesweep
