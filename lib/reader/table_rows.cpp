#include "lib/reader/table_rows.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "lib/base/fields.hpp"
#include "lib/reader/characters.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kBlanks = " \t";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The length of the separator that the text begins with; 0 if it begins with none.
std::size_t separator_at(std::string_view text, Separator separator) {
  switch (separator) {
    case Separator::tab: return text.front() == '\t' ? 1 : 0;
    case Separator::comma: return text.front() == ',' ? 1 : 0;
    case Separator::semicolon: return text.front() == ';' ? 1 : 0;
    case Separator::none: return 0;
    default: break;
  }
  if (!is_blank(text.front())) return 0;
  const std::size_t end = std::min(text.find_first_not_of(kBlanks), text.size());
  const bool tab = text.substr(0, end).find('\t') != std::string_view::npos;
  if (separator == Separator::tabs) return tab ? end : 0;
  return separator == Separator::blank || tab || end >= 2 ? end : 0;
}

// Reads a cell in quotes from the front of the line into `cell`. Returns how many bytes it takes; 0 if the line does
// not begin with one that a separator or the line's end follows.
std::size_t take_quoted(std::string_view line, Separator separator, std::string& cell) {
  if (line.empty() || line.front() != '"') return 0;
  cell.clear();
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '"') {
      cell += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == '"') {
      cell += line[i++];
    } else {
      ++i;
      while (i < line.size() && line[i] == ' ' && separator_at(line.substr(i), separator) == 0) ++i;
      return i == line.size() || separator_at(line.substr(i), separator) != 0 ? i : 0;
    }
  }
  return 0;
}

std::size_t take_plain(std::string_view line, Separator separator, std::string& cell) {
  std::size_t end = 0;
  while (end < line.size() && separator_at(line.substr(end), separator) == 0) ++end;
  cell = trimmed(line.substr(0, end), kBlanks);
  return end;
}

// The separator of a line such as "sep=;", which spreadsheets read and write above a table.
std::optional<Separator> declared_separator(std::string_view line) {
  line = trimmed(line, kBlanks);
  if (line.size() > 1 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  if (line == "sep=") return Separator::tab;
  if (line.size() != 5 || !(line.starts_with("sep=") || line.starts_with("SEP="))) return std::nullopt;
  switch (line.back()) {
    case ',': return Separator::comma;
    case ';': return Separator::semicolon;
    case '\t': return Separator::tab;
    default: return std::nullopt;
  }
}

// Whether the line is for a genome browser: "track name=x", "browser position chr1:1-9". A table may have a row of such
// a name.
bool is_browser_line(std::string_view line) {
  if (line == "track" || line.starts_with("browser position ") || line.starts_with("browser hide ")) return true;
  if (line.starts_with("browser ")) return line.find('\t') == std::string_view::npos;
  return line.starts_with("track ") && line.find('=') != std::string_view::npos;
}

// Whether all cells of the line are blank, as in the rows that spreadsheets write behind the last one that was filled.
bool is_empty_row(std::string_view line) {
  constexpr std::string_view kOfEmptyCells = " ,;\"";
  if (std::any_of(line.begin(), line.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }))
    return false;
  const std::vector<Character> all = characters_of(line);
  return std::all_of(all.begin(), all.end(),
                     [&](const Character& c) { return kOfEmptyCells.find(c.plain) != std::string_view::npos; });
}

}  // namespace

TableLines table_lines(std::string_view text) {
  TableLines lines;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (is_empty_row(line)) return;
    if (lines.rows.empty() && !lines.separator && (lines.separator = declared_separator(line))) return;
    if (lines.rows.empty() && is_browser_line(line)) return;
    if (line.front() != '#') {
      lines.rows.push_back({number, line});
    } else if (lines.rows.empty()) {
      lines.title.assign(1, {number, line.substr(1)});
    }
  });
  return lines;
}

Separator separator_of(const TableLines& lines, std::string_view line) {
  if (lines.separator) return *lines.separator;
  if (line.find('\t') != std::string_view::npos) return Separator::tab;
  if (line.find(',') != std::string_view::npos) return Separator::comma;
  if (line.find(';') != std::string_view::npos) return Separator::semicolon;
  return Separator::blank;
}

bool is_bed_row(const Cells& cells) {
  std::int64_t place = 0;
  return cells.size() >= 3 && parse_place(cells[1], place) && parse_place(cells[2], place);
}

Cells split_cells(std::string_view line, Separator separator) {
  line = trimmed(line, separator == Separator::tab ? " " : kBlanks);
  Cells cells;
  for (;;) {
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    std::string cell;
    std::size_t taken = take_quoted(line, separator, cell);
    if (taken == 0) taken = take_plain(line, separator, cell);
    cells.push_back(std::move(cell));
    line.remove_prefix(taken);
    if (line.empty()) return cells;
    line.remove_prefix(separator_at(line, separator));
    if (line.empty()) {
      cells.emplace_back();
      return cells;
    }
  }
}

}  // namespace basesweep
