#include "lib/reader/pattern_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/pattern_columns.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/written_sequence.hpp"

namespace basesweep {
namespace {

bool has(const TableLine& line, char c) { return line.text.find(c) != std::string_view::npos; }

bool has_inner_blank(const TableLine& line) {
  const std::size_t end = line.text.find_last_not_of(" \t");
  return line.text.find_first_of(" \t", line.text.find_first_not_of(" \t")) < end;
}

// The separators that the lines may have, the likeliest first. Blanks separate only where nothing else does in every
// line, as names may hold blanks.
std::vector<Separator> possible_separators(const TableLines& table) {
  const std::vector<TableLine>& lines = table.rows;
  if (table.separator) return {*table.separator};
  if (std::all_of(lines.begin(), lines.end(),
                  [](const TableLine& line) { return is_sequence_with_blanks(line.text); })) {
    return {Separator::none};
  }
  const auto in_all = [&](char c) {
    return std::all_of(lines.begin(), lines.end(), [c](const TableLine& line) { return has(line, c); });
  };
  if (in_all('\t')) return {Separator::tab, Separator::tabs};
  std::vector<Separator> separators;
  if (in_all(',')) separators.push_back(Separator::comma);
  if (in_all(';')) separators.push_back(Separator::semicolon);
  if (std::all_of(lines.begin(), lines.end(), has_inner_blank)) {
    separators.insert(separators.end(), {Separator::wide_blank, Separator::blank});
  } else if (std::none_of(lines.begin(), lines.end(),
                          [](const TableLine& line) { return has(line, '\t') || has_inner_blank(line); })) {
    separators.push_back(Separator::none);
  }
  return separators;
}

// The table with this separator; nothing if its rows do not fit: each must have two cells or more, and all must have as
// many as the others. Where tabs stand one by one, rows may end early.
std::optional<PatternTable> split_table(const std::string& path, const TableLines& lines, Separator separator) {
  PatternTable table{path, lines, {}, 0};
  std::size_t narrowest = std::numeric_limits<std::size_t>::max();
  for (const TableLine& line : lines.rows) {
    table.rows.push_back(split_cells(line.text, separator));
    table.width = std::max(table.width, table.rows.back().size());
    narrowest = std::min(narrowest, table.rows.back().size());
  }
  if (separator == Separator::none) return table;
  if (narrowest < 2 || (separator != Separator::tab && narrowest != table.width)) return std::nullopt;
  return table;
}

// The number in a cell; nothing if the cell is empty or there is no such column.
std::optional<std::uint32_t> limit_in(const PatternTable& table, std::size_t row, std::optional<std::size_t> column,
                                      const char* name, const PatternList& patterns) {
  if (!column || table.cell(row, *column).empty()) return std::nullopt;
  const std::string& cell = table.cell(row, *column);
  std::uint32_t number = 0;
  constexpr std::uint32_t kMost = 999'999'999;
  if (parse_number(cell, number) && number <= kMost) return number;
  patterns.fail(table.lines.rows[row].number, fmt::format("column '{}': '{}' is not a whole number", name, cell));
}

// The name of a pattern without one: its sequence, without what was left out of it.
std::string name_of(const std::string& written) {
  if (letters_fault(written).empty()) return written;
  WrittenSequence read = read_written(written);
  return read.fault.empty() ? std::move(read.letters) : written;
}

// Adds the rows to the list. An illegal letter in the first row may mean that it is a header which was not recognised.
void take_rows(const PatternTable& table, const PatternColumns& columns, PatternList& patterns) {
  for (std::size_t row = columns.header ? 1 : 0; row < table.rows.size(); ++row) {
    const TableLine& line = table.lines.rows[row];
    const std::string& name = table.cell(row, columns.name);
    const std::string& sequence = table.cell(row, columns.sequence);
    patterns.start(columns.name == columns.sequence ? name_of(sequence) : name, line.number, line.text);
    if (row == 0 && table.rows.size() > 1 && !is_plain_sequence(sequence)) {
      if (const std::string fault = read_written(sequence).fault; !fault.empty()) {
        patterns.fail(line.number, fmt::format("pattern '{}', {} (if this line is a header: --pattern-column '{}')",
                                               name, fault, sequence));
      }
    }
    patterns.extend(sequence, line.number);
    patterns.close();
    Pattern& pattern = patterns.last();
    pattern.edits = limit_in(table, row, columns.edits, "edits", patterns);
    pattern.clamp_5prime = limit_in(table, row, columns.clamp_5prime, "clamp_5prime", patterns);
    pattern.clamp_3prime = limit_in(table, row, columns.clamp_3prime, "clamp_3prime", patterns);
  }
}

std::string without_controls(std::string cell) {
  for (char& c : cell) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return cell;
}

void keep_rows(const PatternTable& table, const PatternColumns& columns, Separator separator, PatternRows& kept) {
  Cells title;
  if (columns.header) {
    title = table.rows.front();
  } else if (!table.lines.title.empty()) {
    title = split_cells(table.lines.title.front().text, separator);
    if (title.size() != table.width) title.clear();
  }
  for (std::size_t column = 0; column < table.width; ++column) {
    kept.header.push_back(column < title.size()        ? without_controls(title[column])
                          : column == columns.sequence ? "sequence"
                          : column == columns.name     ? "name"
                                                       : fmt::format("column_{}", column + 1));
  }
  for (std::size_t row = columns.header ? 1 : 0; row < table.rows.size(); ++row) {
    Cells& cells = kept.rows.emplace_back();
    for (std::size_t column = 0; column < table.width; ++column) {
      cells.push_back(without_controls(table.cell(row, column)));
    }
  }
}

// Whether this is BED without the column of sequences.
bool lacks_sequences(const PatternTable& table) { return table.width < 7 && is_bed_row(table.rows.front()); }

// Fails at the line that is not as expected.
void refuse(const TableLines& lines, const std::optional<PatternTable>& table, PatternList& patterns) {
  const auto odd =
      std::find_if_not(lines.rows.begin(), lines.rows.end(), [](const auto& line) { return has(line, '\t'); });
  const std::size_t number = (table || odd == lines.rows.end() ? lines.rows.front() : *odd).number;
  if (table && is_bed_row(table->rows.front())) patterns.fail(number, kBedWithoutSequences);
  patterns.fail(number, "expected FASTA, or a name, a tab and a sequence");
}

}  // namespace

void read_table(const std::string& path, std::string_view text, const ColumnChoice& choice, PatternList& patterns,
                PatternRows* rows) {
  const TableLines lines = table_lines(text);
  if (lines.rows.empty()) return;
  const auto take = [&](const PatternTable& table, const PatternColumns& columns, Separator separator) {
    if (table.width < 3) patterns.set_named_by(NamedBy::only_column);
    take_rows(table, columns, patterns);
    if (rows != nullptr) keep_rows(table, columns, separator, *rows);
  };
  std::optional<PatternTable> first;  // the likeliest way to split the lines
  Separator first_separator = Separator::none;
  for (const Separator separator : possible_separators(lines)) {
    std::optional<PatternTable> table = split_table(path, lines, separator);
    if (!table) continue;
    if (const auto columns = find_columns(*table, choice, separator)) return take(*table, *columns, separator);
    if (first) continue;
    first = std::move(table);
    first_separator = separator;
  }
  // No column holds sequences only. Reading the one that nearly does finds the line that is wrong.
  if (first && !lacks_sequences(*first)) {
    if (const auto columns = likely_columns(*first)) return take(*first, *columns, first_separator);
  }
  refuse(lines, first, patterns);
}

}  // namespace basesweep
