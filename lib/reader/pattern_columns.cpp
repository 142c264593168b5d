#include "lib/reader/pattern_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/header_words.hpp"
#include "lib/reader/pattern_list.hpp"

namespace basesweep {
namespace {

class Finder {
 public:
  Finder(const PatternTable& table, const ColumnChoice& choice, Separator separator)
      : table_(table), choice_(choice), separator_(separator) {
    find_header();
  }

  std::optional<PatternColumns> find() {
    PatternColumns columns;
    columns.header = header_ == &table_.rows.front();
    if (first_row() == table_.rows.size()) return columns;
    const bool bed = header_ == nullptr && is_bed();
    std::optional<std::size_t> name = chosen("--name-column", choice_.name);
    const std::optional<std::size_t> sequence = find_sequence(name, bed);
    if (!sequence) return std::nullopt;
    columns.sequence = *sequence;
    if (!name && bed) name = 3;
    columns.name = name ? *name : find_name(*sequence);
    columns.edits = with_role(ColumnRole::edits);
    columns.clamp_5prime = with_role(ColumnRole::clamp_5prime);
    columns.clamp_3prime = with_role(ColumnRole::clamp_3prime);
    return columns;
  }

 private:
  std::size_t first_row() const { return header_ == &table_.rows.front() ? 1 : 0; }

  // The header is the first row, or a comment above it, if its words are known or a chosen column is among them.
  void find_header() {
    const bool named = is_name(choice_.name) || is_name(choice_.sequence);
    if (is_header(table_.rows.front())) return set_header(table_.rows.front());
    if (!table_.lines.title.empty()) {
      title_ = split_cells(table_.lines.title.front().text, separator_);
      const bool has_choice = std::any_of(title_.begin(), title_.end(), [this](const std::string& cell) {
        return !cell.empty() && (cell == choice_.name || cell == choice_.sequence);
      });
      if (title_.size() == table_.width && (has_choice || is_header(title_))) return set_header(title_);
    }
    if (named) set_header(table_.rows.front());
  }

  void set_header(const Cells& cells) {
    header_ = &cells;
    words_.clear();
    for (const std::string& cell : cells) words_.push_back(plain_word(cell));
  }

  static bool is_name(const std::string& choice) {
    return !choice.empty() && !std::all_of(choice.begin(), choice.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  // Two known words make a header. One does unless the row also holds a sequence, as in "primer GATTACA".
  bool is_header(const Cells& cells) const {
    std::size_t known = 0;
    bool sequence = false;
    for (const std::string& cell : cells) {
      if (role_of(plain_word(cell)) != ColumnRole::unknown) {
        ++known;
      } else {
        sequence = sequence || is_sequence(cell);
      }
    }
    if (known == 0) return false;
    return known > 1 || !sequence || &cells == &title_ || !sequences_below(cells);
  }

  // Whether the cell above a column of sequences is one too.
  bool sequences_below(const Cells& cells) const {
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (content_of(table_, column, 1).pure() && is_sequence(cells[column]) &&
          role_of(plain_word(cells[column])) == ColumnRole::unknown)
        return true;
    }
    return false;
  }

  // The column that an option chooses; nothing if it is not given.
  std::optional<std::size_t> chosen(const char* option, const std::string& choice) const {
    if (choice.empty()) return std::nullopt;
    if (!is_name(choice)) {
      std::size_t number = 0;
      if (parse_number(choice, number) && number >= 1 && number <= table_.width) return number - 1;
      throw UsageError(fmt::format("{} {}: {} has columns 1 to {}", option, choice, table_.path, table_.width));
    }
    const auto index_of = [this](const auto& names, const std::string& wanted) -> std::optional<std::size_t> {
      const auto found = std::find(names.begin(), names.end(), wanted);
      if (found == names.end()) return std::nullopt;
      if (std::find(found + 1, names.end(), wanted) != names.end()) {
        throw DataError(fmt::format("{}: two columns are named '{}': choose by number", table_.path, wanted));
      }
      return found - names.begin();
    };
    if (const auto exact = index_of(*header_, choice)) return exact;
    if (const auto alike = index_of(words_, plain_word(choice))) return alike;
    throw UsageError(
        fmt::format("{} {}: the columns of {} are {}", option, choice, table_.path, fmt::join(*header_, ", ")));
  }

  std::optional<std::size_t> with_role(ColumnRole role) const {
    std::optional<std::size_t> found;
    for (std::size_t column = 0; column < words_.size(); ++column) {
      if (role_of(words_[column]) != role) continue;
      if (found) throw DataError(fmt::format("{}: two columns are named '{}'", table_.path, (*header_)[column]));
      found = column;
    }
    return found;
  }

  bool is_bed() const {
    return std::all_of(table_.rows.begin(), table_.rows.end(), [](const Cells& cells) {
      std::int64_t place = 0;
      return cells.size() >= 7 && parse_place(cells[1], place) && parse_place(cells[2], place) &&
             (cells[5] == "+" || cells[5] == "-" || cells[5] == ".");
    });
  }

  std::optional<std::size_t> find_sequence(const std::optional<std::size_t>& name, bool bed) {
    if (const auto by_choice = chosen("--pattern-column", choice_.sequence)) return by_choice;
    if (bed) return 6;
    std::vector<std::size_t> named = with_any(ColumnRole::sequence);
    if (named.size() > 1) keep_sequences(named);
    if (!named.empty()) return only_one(named, name);
    if (const auto plain = by_content(name)) return plain;
    spelling_ = Spelling::written;
    return by_content(name);
  }

  Content content(std::size_t column) const { return content_of(table_, column, first_row(), spelling_); }

  std::vector<std::size_t> with_any(ColumnRole role) const {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < words_.size(); ++column) {
      if (role_of(words_[column]) == role) columns.push_back(column);
    }
    return columns;
  }

  // Columns of plain sequences are kept, or of written ones where there are no others.
  void keep_sequences(std::vector<std::size_t>& columns) {
    const auto holds_none = [this](std::size_t column) { return !content(column).mostly(); };
    if (std::all_of(columns.begin(), columns.end(), holds_none)) spelling_ = Spelling::written;
    std::erase_if(columns, holds_none);
  }

  std::optional<std::size_t> by_content(const std::optional<std::size_t>& name) const {
    std::vector<std::size_t> columns;  // of sequences, or nearly so
    bool any_pure = false;
    bool any_long = false;  // and pure
    for (std::size_t column = 0; column < table_.width; ++column) {
      if (column == name || role_at(column) == ColumnRole::name || is_limit(column)) continue;
      const Content cells = content(column);
      if (!cells.mostly()) continue;
      columns.push_back(column);
      any_pure = any_pure || cells.pure();
      any_long = any_long || (cells.pure() && cells.longest > kShortCell);
    }
    if (!any_pure) return std::nullopt;
    if (any_long) {  // beside long sequences, short cells are flags or codes
      std::erase_if(columns, [this](std::size_t column) { return content(column).longest <= kShortCell; });
    }
    // Next to a column of names, "guide" is one of sequences.
    if (columns.size() > 1 && !with_any(ColumnRole::name).empty()) {
      std::vector<std::size_t> guides = with_any(ColumnRole::either);
      std::erase_if(guides, [&](std::size_t column) {
        return std::find(columns.begin(), columns.end(), column) == columns.end();
      });
      if (guides.size() == 1) return guides.front();
    }
    const bool two = columns.size() == 2 && columns.front() == 0 && !name;
    if (two && names_first(columns.back())) columns.erase(columns.begin());
    if (columns.size() == 1 && !content(columns.front()).pure()) return std::nullopt;
    if (columns.size() == 1 && columns.front() == 0 && table_.width > 1 && !any_long) return std::nullopt;
    return only_one(columns, name);
  }

  // Whether the first column, which holds IUPAC letters only, is one of names: they are short, or the sequences.
  bool names_first(std::size_t other) const {
    const Content cells = content(0);
    if (!cells.pure() || cells.shortest < kLongCell) return true;
    for (std::size_t row = first_row(); row < table_.rows.size(); ++row) {
      if (table_.cell(row, 0) != table_.cell(row, other)) return false;
    }
    return true;
  }

  std::size_t only_one(const std::vector<std::size_t>& columns, const std::optional<std::size_t>& name) const {
    if (columns.size() == 1) return columns.front();
    std::size_t row = first_row();
    for (std::size_t next = row; next < table_.rows.size(); ++next) {
      if (table_.cell(next, columns[0]).empty() || table_.cell(next, columns[1]).empty()) continue;
      row = next;  // both readings have a sequence here
      break;
    }
    const auto reading = [&](std::size_t column) {
      const std::size_t named = name ? *name : find_name(column);
      return fmt::format("pattern '{}' = {} (column {}{})", table_.cell(row, named), table_.cell(row, column),
                         column + 1, column < words_.size() ? fmt::format(", '{}'", (*header_)[column]) : "");
    };
    const TableLine& line = table_.lines.rows[row];
    throw DataError(fmt::format("{}: line {}: '{}' can be read as {} or as {}: choose with --pattern-column",
                                table_.path, line.number, shown(line.text), reading(columns[0]), reading(columns[1])));
  }

  // The column of names: the one with the best known word that is not empty throughout, else the first.
  std::size_t find_name(std::size_t sequence) const {
    std::optional<std::size_t> best;
    const auto rank = [this](std::size_t column) {
      const ColumnRole role = role_of(words_[column]);
      return role == ColumnRole::name ? name_rank(words_[column]) : role == ColumnRole::either ? 10 : 20;
    };
    for (std::size_t column = 0; column < words_.size(); ++column) {
      if (column == sequence || rank(column) == 20 || (best && rank(*best) <= rank(column))) continue;
      if (content(column).empty + first_row() < table_.rows.size()) best = column;
    }
    if (best) return *best;
    return sequence == 0 && table_.width > 1 && !is_limit(1) ? 1 : 0;
  }

  ColumnRole role_at(std::size_t column) const {
    return column < words_.size() ? role_of(words_[column]) : ColumnRole::unknown;
  }

  bool is_limit(std::size_t column) const {
    const ColumnRole role = role_at(column);
    return role == ColumnRole::edits || role == ColumnRole::clamp_5prime || role == ColumnRole::clamp_3prime;
  }

  const PatternTable& table_;
  const ColumnChoice& choice_;
  Separator separator_;
  Cells title_;
  const Cells* header_ = nullptr;   // the first row, `title_`, or none
  std::vector<std::string> words_;  // of the header
  Spelling spelling_ = Spelling::plain;
};

}  // namespace

std::optional<PatternColumns> find_columns(const PatternTable& table, const ColumnChoice& choice, Separator separator) {
  return Finder(table, choice, separator).find();
}

std::optional<PatternColumns> likely_columns(const PatternTable& table) {
  std::size_t most = 0;
  PatternColumns columns;
  for (std::size_t column = 0; column < table.width; ++column) {
    const Content content = content_of(table, column, 0, Spelling::written);
    const std::size_t sequences = content.sequences + content.nearly;
    const bool better = column < 2 ? sequences >= most : sequences > most;  // column 2 is more likely than column 1
    if (!better || (content.pure() && table.width > 1)) continue;
    most = sequences;
    columns.sequence = column;
  }
  if (2 * most < table.rows.size() && table.width != 2) return std::nullopt;
  columns.name = columns.sequence == 0 && table.width > 1 ? 1 : 0;
  return columns;
}

}  // namespace basesweep
