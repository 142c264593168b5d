#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/products/pair_header.hpp"
#include "lib/products/primer_pairs.hpp"
#include "lib/products/primer_sides.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/primer_report.hpp"
#include "lib/reader/table_content.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/whole_text.hpp"
#include "lib/reader/written_sequence.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kForms =
    "a pair (name, forward, reverse, then sizes), BED with sequences in column 7, or FASTA";

// Reads one file.
class PairReader {
 public:
  PairReader(std::string path, const PairColumnChoice& choice) : path_(std::move(path)), choice_(choice) {}

  const LeftOut& left_out() const { return left_out_; }

  std::vector<PrimerPair> read(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) throw DataError(fmt::format("{}: no pairs in this file", path_));
    if (text[first] == '>') {
      refuse_columns("FASTA");
      read_fasta(text);
    } else if (const auto report = read_primer_report(path_, text)) {
      refuse_columns("the output of a program that designs primers");
      take_report(*report);
    } else {
      read_table(text);
    }
    if (!primers_.empty()) {
      if (!pairs_.empty()) fail(primers_.front().line, "primers and pairs are mixed in this file");
      pairs_ = pair_up(path_, primers_);
    }
    if (pairs_.empty()) throw DataError(fmt::format("{}: no pairs in this file", path_));
    check_names();
    return std::move(pairs_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    constexpr std::string_view kCure =
        " (if this line is a header: --forward-column, --reverse-column and --name-column choose the columns)";
    throw DataError(fmt::format("{}: line {}: {}{}", path_, line, what, line == maybe_header_ ? kCure : ""));
  }

  void check_names() const {
    std::unordered_map<std::string, std::size_t> lines;
    for (const PrimerPair& pair : pairs_) {
      const auto [known, fresh] = lines.try_emplace(pair.name, pair.line);
      if (fresh) continue;
      fail(pair.line, fmt::format("pair '{}': the name is used in line {} too{}", pair.name, known->second,
                                  has_columns_ ? "; --name-column chooses another column" : ""));
    }
  }

  void refuse_columns(const char* kind) const {
    if (!choice_.any()) return;
    throw UsageError(
        fmt::format("{} is {}: --name-column, --forward-column and --reverse-column are for tables", path_, kind));
  }

  std::string sequence(const std::string& cell, const std::string& whose, std::size_t line) {
    WrittenSequence read = read_written(cell);
    if (!read.fault.empty()) fail(line, fmt::format("{}, {}", whose, read.fault));
    if (read.letters.empty()) fail(line, fmt::format("{} has no sequence", whose));
    if (read.letters.find('|') != std::string::npos)
      fail(line, fmt::format("{}: a primer has one sequence, without '|'", whose));
    left_out_ += read.left_out;
    return std::move(read.letters);
  }

  std::string without_controls(const std::string& name, const char* what, std::size_t line) const {
    if (!name_fault(name, NameRule::text).empty()) {
      fail(line, fmt::format("{} '{}': a name may not hold control characters, such as tabs", what, shown(name)));
    }
    return name;
  }

  std::string checked_name(const std::string& name, const char* what, std::size_t line) const {
    if (name.empty()) fail(line, fmt::format("the {} has no name", what));
    return without_controls(name, what, line);
  }

  void read_fasta(const std::string& text) {
    std::string written;                                     // sequence of the last primer
    std::vector<std::pair<std::size_t, std::size_t>> lines;  // of it: begin and number
    const auto close = [&] {
      if (primers_.empty()) return;
      LonePrimer& last = primers_.back();
      std::size_t line = last.line;
      const std::size_t fault = read_written(written).fault_at;
      for (const auto& [begin, number] : lines) line = begin <= fault ? number : line;
      last.sequence = sequence(written, fmt::format("primer '{}'", last.name), written.empty() ? last.line : line);
      written.clear();
      lines.clear();
    };
    for_each_line(text, [&](std::string_view line, std::size_t number) {
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) return;
      line = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
      if (line.front() != '>') {
        lines.emplace_back(written.size(), number);
        written += line;
        return;
      }
      close();
      primers_.push_back({checked_name(std::string(name_in_title(line.substr(1))), "primer", number), "", "", number});
    });
    close();
  }

  void take_report(const std::vector<ReportedPair>& pairs) {
    for (const ReportedPair& from : pairs) {
      PrimerPair& pair = add_pair(from.name, from.forward, from.reverse, from.line);
      pair.reverse_line = from.reverse_line;
      if (!from.probe.empty())
        pair.probe = sequence(from.probe, fmt::format("probe of pair '{}'", from.name), from.line);
    }
  }

  void read_table(const std::string& text) {
    const TableLines lines = table_lines(text);
    std::optional<PairColumns> columns;
    std::size_t row = 0;
    if (!lines.rows.empty()) columns = find_columns(lines, row);
    has_columns_ = columns && columns->pairs();
    if (!columns && may_be_header(lines)) maybe_header_ = lines.rows.front().number;
    for (; row < lines.rows.size(); ++row) {
      const TableLine& line = lines.rows[row];
      const Cells cells = split_cells(line.text, separator_of(lines, line.text));
      columns ? take_row(cells, *columns, line.number) : take_bare_row(cells, line.number);
    }
  }

  // Whether the first of several rows, which is no header that is known, holds no sequence either.
  static bool may_be_header(const TableLines& lines) {
    if (lines.rows.size() < 2) return false;
    const std::string_view first = lines.rows.front().text;
    const Cells cells = split_cells(first, separator_of(lines, first));
    return cells.size() > 1 && !is_bed_row(cells) &&
           std::none_of(cells.begin() + (cells.size() > 2 ? 1 : 0), cells.end(), [](const std::string& cell) {
             return cell.size() > kShortCell && is_sequence(cell, Spelling::written);
           });
  }

  // The columns by the first row, which is then passed over, or by a comment above it; nothing if neither is a header
  // and none are chosen. BED has columns of its own.
  std::optional<PairColumns> find_columns(const TableLines& lines, std::size_t& row) const {
    const auto cells_of = [&](std::size_t index) {
      return index < lines.rows.size()
                 ? split_cells(lines.rows[index].text, separator_of(lines, lines.rows[index].text))
                 : Cells();
    };
    const Cells first = cells_of(0);
    try {
      if (is_bed_row(first) && !choice_.any()) return std::nullopt;
      if (const auto columns = find_pair_columns(first, cells_of(1), choice_)) {
        row = 1;
        return columns;
      }
      if (const auto columns = title_columns(lines, first)) return columns;
      return counted_pair_columns(choice_, first.size());
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", path_, error.what()));
    } catch (const DataError& error) {
      if (const auto columns = title_columns(lines, first)) return columns;
      fail(lines.rows.front().number, error.what());
    }
  }

  // The columns that the comment above the rows names; nothing if it is no header.
  std::optional<PairColumns> title_columns(const TableLines& lines, const Cells& below) const {
    if (lines.title.empty()) return std::nullopt;
    const std::string_view title = lines.title.front().text;
    const bool tabs = title.find('\t') != std::string_view::npos;
    const Cells cells = split_cells(title, tabs ? Separator::tab : separator_of(lines, lines.rows.front().text));
    // Without tabs a comment may be a sentence, which has as many words as it likes.
    if (!tabs && cells.size() != below.size()) return std::nullopt;
    try {
      return find_pair_columns(cells, below, choice_);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  template <class Number>
  std::optional<Number> number_at(const std::string& cell, const char* column, std::size_t line) const {
    if (cell.empty() || cell == ".") return std::nullopt;
    std::int64_t number = 0;
    constexpr std::int64_t kMost = 999'999'999;
    if (!parse_number(cell, number) || number < 0 || number > kMost) {
      fail(line, fmt::format("column '{}': '{}' is not a whole number", column, cell));
    }
    return static_cast<Number>(number);
  }

  void take_row(const Cells& cells, const PairColumns& columns, std::size_t line) {
    std::string name = columns.cell(cells, PairColumn::name);
    if (!columns.has(PairColumn::name)) name = fmt::format("pair_{}", pairs_.size() + primers_.size() + 1);
    if (!columns.pairs()) {
      add_primer(name, columns.cell(cells, PairColumn::sequence), columns.cell(cells, PairColumn::pool), line);
      return;
    }
    PrimerPair& pair =
        add_pair(name, columns.cell(cells, PairColumn::forward), columns.cell(cells, PairColumn::reverse), line);
    const std::string probe = columns.cell(cells, PairColumn::probe);
    if (!probe.empty() && probe != ".") pair.probe = sequence(probe, fmt::format("probe of pair '{}'", name), line);
    set_sizes(pair, columns.cell(cells, PairColumn::min_size), columns.cell(cells, PairColumn::max_size));
    pair.edits = number_at<std::uint32_t>(columns.cell(cells, PairColumn::edits), "edits", line);
    pair.pool = without_controls(columns.cell(cells, PairColumn::pool), "pool", line);
  }

  // BED has its own columns; other rows are pairs with sizes behind them.
  void take_bare_row(const Cells& cells, std::size_t line) {
    if (is_bed_row(cells)) {
      if (cells.size() < 7) {
        fail(line, kBedWithoutSequences);
      }
      return add_primer(cells[3], cells[6], cells[4], line);
    }
    if (cells.size() < 3 || cells.size() > 5) {
      fail(line, fmt::format("expected {}, found {} columns: '{}'", kForms, cells.size(), shown(cells.front())));
    }
    PrimerPair& pair = add_pair(cells[0], cells[1], cells[2], line);
    if (cells.size() == 4) set_sizes(pair, "", cells[3]);
    if (cells.size() == 5) set_sizes(pair, cells[3], cells[4]);
  }

  void add_primer(const std::string& name, const std::string& letters, const std::string& pool, std::size_t line) {
    const std::string known = checked_name(name, "primer", line);
    primers_.push_back({known, sequence(letters, fmt::format("primer '{}'", known), line),
                        without_controls(pool, "pool", line), line});
  }

  PrimerPair& add_pair(const std::string& name, const std::string& forward, const std::string& reverse,
                       std::size_t line) {
    PrimerPair pair;
    pair.name = checked_name(name, "pair", line);
    for (const std::string* primer : {&forward, &reverse}) {
      if (!primer->empty()) continue;
      fail(line, fmt::format("pair '{}' has no {} primer", name, primer == &forward ? "forward" : "reverse"));
    }
    pair.forward = sequence(forward, fmt::format("forward primer of pair '{}'", name), line);
    pair.reverse = sequence(reverse, fmt::format("reverse primer of pair '{}'", name), line);
    pair.forward_name = name + "_F";
    pair.reverse_name = name + "_R";
    pair.file = path_;
    pair.line = line;
    pairs_.push_back(std::move(pair));
    return pairs_.back();
  }

  void set_sizes(PrimerPair& pair, const std::string& least, const std::string& most) const {
    pair.min_size = number_at<std::int64_t>(least, "min_size", pair.line);
    pair.max_size = number_at<std::int64_t>(most, "max_size", pair.line);
    if (pair.min_size && pair.max_size && *pair.min_size > *pair.max_size) {
      fail(pair.line, fmt::format("pair '{}': the smallest size, {}, is larger than the largest, {}", pair.name,
                                  *pair.min_size, *pair.max_size));
    }
  }

  std::string path_;
  const PairColumnChoice& choice_;
  LeftOut left_out_;
  std::size_t maybe_header_ = 0;  // line of a first row that is not known as a header and holds no sequence
  bool has_columns_ = false;      // it is a table of pairs whose columns were found or chosen
  std::vector<PrimerPair> pairs_;
  std::vector<LonePrimer> primers_;
};

}  // namespace

std::vector<PrimerPair> read_primer_pairs(const std::string& path, const PairColumnChoice& columns, LeftOut* left_out) {
  PairReader reader(input_name(path), columns);
  std::vector<PrimerPair> pairs = reader.read(read_all(path));
  if (left_out != nullptr) *left_out += reader.left_out();
  return pairs;
}

}  // namespace basesweep
