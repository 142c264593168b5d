#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/upper_case.hpp"
#include "lib/products/primer_pairs.hpp"
#include "lib/products/primer_sides.hpp"
#include "lib/reader/header_words.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kForms =
    "a pair (name, forward, reverse, then sizes), BED with sequences in column 7, or FASTA";

// The columns of a header, by what they hold.
enum class Column { name, forward, reverse, probe, min_size, max_size, edits, pool, sequence, count };
constexpr std::size_t kColumns = static_cast<std::size_t>(Column::count);
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Header {
  std::array<std::size_t, kColumns> places;
  std::size_t operator[](Column column) const { return places[static_cast<std::size_t>(column)]; }
};

// The word without all that stands in it of these.
std::string without(std::string word, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    for (std::size_t at = word.find(part); at != std::string::npos; at = word.find(part)) word.erase(at, part.size());
  }
  return word;
}

// What a column of this name holds, and how good the name is: 0 is best. Of two columns for the same, the one with the
// better name counts, so "fwd_seq" and not "fwd_primer".
struct Meaning {
  Column column = Column::count;
  std::size_t rank = 0;
};

// `word`: of plain_word().
Meaning meaning_of(const std::string& word) {
  const auto is = [](const std::string& text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (is(word, {"name", "id", "pair", "primer", "primer_name", "pair_name", "amplicon"})) return {Column::name};
  if (is(word, {"seq", "sequence"})) return {Column::sequence};
  if (is(word, {"pool", "primer_pool"})) return {Column::pool};
  if (word == "edits") return {Column::edits};
  const std::string side = without(word, {"primer", "sequence", "seq", "oligo", "5to3", "_"});
  const std::size_t rank = word.find("seq") == std::string::npos ? 1 : 0;
  if (is(side, {"forward", "fwd", "f", "left"})) return {Column::forward, rank};
  if (is(side, {"reverse", "rev", "r", "right"})) return {Column::reverse, rank};
  if (side == "probe") return {Column::probe, rank};
  const std::string bound = without(word, {"product", "amplicon", "size", "length", "len", "_"});
  if (bound == "min") return {Column::min_size};
  if (bound == "max") return {Column::max_size};
  constexpr std::array<std::string_view, 7> sides{"f_", "fwd", "forward", "left", "r_", "rev", "right"};
  const bool of_side =
      std::any_of(sides.begin(), sides.end(), [&](std::string_view one) { return word.starts_with(one); });
  if (!of_side && word.ends_with("_name")) return {Column::name, 1};
  if (!of_side && word.ends_with("_id")) return {Column::name, 2};
  return {};
}

// The header that the cells are; nothing if they are none.
std::optional<Header> parse_header(const Cells& cells) {
  Header header;
  header.places.fill(kNone);
  std::array<std::size_t, kColumns> ranks{};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Meaning meaning = meaning_of(plain_word(cells[i]));
    if (meaning.column == Column::count) continue;
    const auto column = static_cast<std::size_t>(meaning.column);
    if (header.places[column] != kNone && ranks[column] <= meaning.rank) continue;
    header.places[column] = i;
    ranks[column] = meaning.rank;
  }
  const bool pairs = header[Column::forward] != kNone && header[Column::reverse] != kNone;
  const bool lone = header[Column::sequence] != kNone;
  if (header[Column::name] == kNone || pairs == lone) return std::nullopt;
  return header;
}

// Whether these cells may be a header whose names are unknown: none of them is a number or a sequence.
bool looks_like_header(const Cells& cells) {
  return cells.size() > 2 && std::none_of(cells.begin(), cells.end(), [](const std::string& cell) {
           std::int64_t number = 0;
           return cell.empty() || parse_number(cell, number) || letters_fault(cell).empty();
         });
}

// Reads one file.
class PairReader {
 public:
  explicit PairReader(std::string path) : path_(std::move(path)) {}

  std::vector<PrimerPair> read(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) throw DataError(fmt::format("{}: no pairs in this file", path_));
    if (text[first] == '>') {
      read_fasta(text);
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
    throw DataError(fmt::format("{}: line {}: {}", path_, line, what));
  }

  void check_names() const {
    std::unordered_map<std::string, std::size_t> lines;
    for (const PrimerPair& pair : pairs_) {
      const auto [known, fresh] = lines.try_emplace(pair.name, pair.line);
      if (!fresh) fail(pair.line, fmt::format("pair '{}': the name is used in line {} too", pair.name, known->second));
    }
  }

  std::string sequence(const std::string& cell, const std::string& whose, std::size_t line) const {
    if (cell.empty()) fail(line, fmt::format("{} has no sequence", whose));
    if (const std::string fault = letters_fault(cell); !fault.empty()) fail(line, fmt::format("{}, {}", whose, fault));
    if (cell.find('|') != std::string::npos)
      fail(line, fmt::format("{}: a primer has one sequence, without '|'", whose));
    return upper_case(cell);
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
    for_each_line(text, [this](std::string_view line, std::size_t number) {
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) return;
      line = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
      if (line.front() == '>') {
        check_last();
        primers_.push_back(
            {checked_name(std::string(name_in_title(line.substr(1))), "primer", number), "", "", number});
      } else {
        primers_.back().sequence +=
            sequence(std::string(line), fmt::format("primer '{}'", primers_.back().name), number);
      }
    });
    check_last();
  }

  void check_last() const {
    if (primers_.empty() || !primers_.back().sequence.empty()) return;
    fail(primers_.back().line, fmt::format("primer '{}' has no sequence", primers_.back().name));
  }

  void read_table(const std::string& text) {
    const TableLines lines = table_lines(text);
    std::optional<Header> header;
    for (std::size_t row = 0; row < lines.rows.size(); ++row) {
      const TableLine& line = lines.rows[row];
      const Separator separator = line.text.find('\t') != std::string_view::npos  ? Separator::tab
                                  : line.text.find(',') != std::string_view::npos ? Separator::comma
                                  : line.text.find(';') != std::string_view::npos ? Separator::semicolon
                                                                                  : Separator::blank;
      const Cells cells = split_cells(line.text, separator);
      if (row == 0) {
        header = parse_header(cells);
        if (!header && lines.title.size() == 1) {
          const std::string_view title = lines.title.front().text;
          header =
              parse_header(split_cells(title, title.find('\t') != std::string_view::npos ? Separator::tab : separator));
        } else if (header) {
          continue;
        }
      }
      if (row == 0 && !header && looks_like_header(cells)) {
        fail(line.number,
             "this seems to be a header: expected the columns name, forward and reverse, or name and "
             "sequence");
      }
      header ? take_row(cells, *header, line.number) : take_bare_row(cells, line.number);
    }
  }

  static std::string cell_at(const Cells& cells, std::size_t place) {
    return place < cells.size() ? cells[place] : std::string();
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

  void take_row(const Cells& cells, const Header& header, std::size_t line) {
    const std::string name = cell_at(cells, header[Column::name]);
    if (header[Column::sequence] != kNone) {
      add_primer(name, cell_at(cells, header[Column::sequence]), cell_at(cells, header[Column::pool]), line);
      return;
    }
    PrimerPair& pair =
        add_pair(name, cell_at(cells, header[Column::forward]), cell_at(cells, header[Column::reverse]), line);
    const std::string probe = cell_at(cells, header[Column::probe]);
    if (!probe.empty() && probe != ".") pair.probe = sequence(probe, fmt::format("probe of pair '{}'", name), line);
    set_sizes(pair, cell_at(cells, header[Column::min_size]), cell_at(cells, header[Column::max_size]));
    pair.edits = number_at<std::uint32_t>(cell_at(cells, header[Column::edits]), "edits", line);
    pair.pool = without_controls(cell_at(cells, header[Column::pool]), "pool", line);
  }

  // BED has its own columns; other rows are pairs with sizes behind them.
  void take_bare_row(const Cells& cells, std::size_t line) {
    std::int64_t start = 0;
    std::int64_t end = 0;
    const bool bed = cells.size() >= 6 && parse_number(cells[1], start) && parse_number(cells[2], end);
    if (bed && cells.size() == 6) {
      fail(line, "this BED has no sequences: expected them in column 7, as primalscheme writes them");
    }
    if (bed) return add_primer(cells[3], cells[6], cells[4], line);
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
  std::vector<PrimerPair> pairs_;
  std::vector<LonePrimer> primers_;
};

}  // namespace

std::vector<PrimerPair> read_primer_pairs(const std::string& path) {
  return PairReader(input_name(path)).read(read_all(path));
}

}  // namespace basesweep
