#include "lib/products/pair_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/header_words.hpp"
#include "lib/reader/table_content.hpp"

namespace basesweep {
namespace {

bool is(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// The word without these parts.
std::string without(std::string word, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    for (std::size_t at = word.find(part); at != std::string::npos; at = word.find(part)) word.erase(at, part.size());
  }
  return word;
}

// The content of a column of this name, and how good the name is: 0 is best. If two columns have the same content, the
// one with the better name counts, so "fwd_seq" and not "fwd_primer".
struct Meaning {
  PairColumn column = PairColumn::count;
  std::size_t rank = 0;
};

// `word`: of plain_word().
Meaning meaning_of(const std::string& word) {
  if (is(word, {"name", "id", "pair", "primer", "primer_name", "pair_name", "primer_pair", "amplicon"}))
    return {PairColumn::name};
  if (is(word, {"seq", "sequence", "primer_seq", "primer_sequence"})) return {PairColumn::sequence};
  if (is(word, {"pool", "primer_pool"})) return {PairColumn::pool};
  if (word == "edits") return {PairColumn::edits};
  const std::string side = without(word, {"primer", "sequence", "seq", "oligo", "5_to_3", "5to3", "5_3", "dna", "_"});
  const std::size_t rank = word.find("seq") == std::string::npos ? 1 : 0;
  if (is(side, {"forward", "fwd", "fw", "for", "f", "fp", "left"})) return {PairColumn::forward, rank};
  if (is(side, {"reverse", "rev", "rv", "rvs", "r", "rp", "right"})) return {PairColumn::reverse, rank};
  if (side == "probe") return {PairColumn::probe, rank};
  const std::string bound = without(word, {"product", "amplicon", "size", "length", "len", "_"});
  if (bound == "min") return {PairColumn::min_size};
  if (bound == "max") return {PairColumn::max_size};
  constexpr std::array<std::string_view, 7> sides{"f_", "fwd", "forward", "left", "r_", "rev", "right"};
  const bool of_side =
      std::any_of(sides.begin(), sides.end(), [&](std::string_view one) { return word.starts_with(one); });
  if (!of_side && word.ends_with("_name")) return {PairColumn::name, 1};
  if (!of_side && word.ends_with("_id")) return {PairColumn::name, 2};
  return {};
}

bool is_number(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool holds_sequence(const Cells& row, std::size_t column) {
  return column < row.size() && is_sequence(row[column], Spelling::written) && row[column].size() > kShortCell;
}

class Finder {
 public:
  Finder(const Cells& header, const Cells& below, const PairColumnChoice& choice)
      : header_(header), below_(below), choice_(choice) {}

  std::optional<PairColumns> find() {
    by_names();
    const bool known = columns_.pairs() || (columns_.has(PairColumn::sequence) && columns_.has(PairColumn::name));
    if (!known && !chosen_by_name() && !looks_like_header()) return std::nullopt;
    choose();
    if (columns_.pairs()) {
      columns_[PairColumn::sequence] = PairColumns::kNone;
    } else if (!columns_.has(PairColumn::sequence) || !choice_.forward.empty() || !choice_.reverse.empty()) {
      refuse();
    }
    if (!columns_.has(PairColumn::name)) name_by_place();
    return columns_;
  }

 private:
  void by_names() {
    std::array<std::size_t, static_cast<std::size_t>(PairColumn::count)> ranks{};
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const Meaning meaning = meaning_of(plain_word(header_[i]));
      if (meaning.column == PairColumn::count) continue;
      std::size_t& place = columns_[meaning.column];
      std::size_t& rank = ranks[static_cast<std::size_t>(meaning.column)];
      // "Forward primer" may be above names, and "Forward primer (5'-3')" above sequences.
      const bool primer = meaning.column == PairColumn::forward || meaning.column == PairColumn::reverse;
      const bool better =
          place == PairColumns::kNone || meaning.rank < rank ||
          (primer && meaning.rank == rank && !holds_sequence(below_, place) && holds_sequence(below_, i));
      if (!better) continue;
      place = i;
      rank = meaning.rank;
    }
  }

  bool chosen_by_name() const {
    return std::any_of(header_.begin(), header_.end(), [this](const std::string& cell) {
      return !cell.empty() &&
             (is_choice(choice_.name, cell) || is_choice(choice_.forward, cell) || is_choice(choice_.reverse, cell));
    });
  }

  static bool is_choice(const std::string& choice, const std::string& cell) {
    return !choice.empty() && !is_number(choice) && (choice == cell || plain_word(choice) == plain_word(cell));
  }

  // Whether these cells may be a header whose names are unknown: none of them is a number or a sequence. The first of
  // three, above names, may look like one, as "Assay" does.
  bool looks_like_header() const {
    return header_.size() > 1 &&
           std::none_of(header_.begin() + (header_.size() > 2 ? 1 : 0), header_.end(),
                        [](const std::string& cell) {
                          if (meaning_of(plain_word(cell)).column != PairColumn::count) return false;
                          std::int64_t number = 0;
                          return cell.empty() || parse_number(cell, number) || is_sequence(cell, Spelling::written);
                        }) &&
           (header_.size() > 2 || columns_.has(PairColumn::forward) || columns_.has(PairColumn::reverse));
  }

  void choose() {
    const auto take = [this](const char* option, const std::string& choice, PairColumn column) {
      if (choice.empty()) return;
      if (is_number(choice)) {
        std::size_t number = 0;
        if (!parse_number(choice, number) || number < 1 || number > header_.size()) {
          throw UsageError(fmt::format("{} {}: the table has columns 1 to {}", option, choice, header_.size()));
        }
        columns_[column] = number - 1;
        return;
      }
      auto found = std::find(header_.begin(), header_.end(), choice);
      if (found == header_.end()) {
        found = std::find_if(header_.begin(), header_.end(),
                             [&](const std::string& cell) { return is_choice(choice, cell); });
      }
      if (found == header_.end()) {
        throw UsageError(fmt::format("{} {}: the columns are {}", option, choice, fmt::join(header_, ", ")));
      }
      columns_[column] = static_cast<std::size_t>(found - header_.begin());
    };
    take("--name-column", choice_.name, PairColumn::name);
    take("--forward-column", choice_.forward, PairColumn::forward);
    take("--reverse-column", choice_.reverse, PairColumn::reverse);
    // A column that is chosen for one thing does not hold another.
    for (const PairColumn chosen : {PairColumn::forward, PairColumn::reverse, PairColumn::name}) {
      const bool given = !(chosen == PairColumn::name      ? choice_.name
                           : chosen == PairColumn::forward ? choice_.forward
                                                           : choice_.reverse)
                              .empty();
      for (std::size_t i = 0; given && i < static_cast<std::size_t>(PairColumn::count); ++i) {
        const auto other = static_cast<PairColumn>(i);
        if (other != chosen && columns_[other] == columns_[chosen]) columns_[other] = PairColumns::kNone;
      }
    }
  }

  [[noreturn]] void refuse() const {
    const bool forward = columns_.has(PairColumn::forward);
    const bool reverse = columns_.has(PairColumn::reverse);
    const std::string lacks = forward   ? "a column of reverse primers (--reverse-column chooses one)"
                              : reverse ? "a column of forward primers (--forward-column chooses one)"
                                        : "both columns of primers (--forward-column and --reverse-column choose them)";
    throw DataError(fmt::format(
        "this seems to be a header: expected the columns name, forward and reverse, or name and sequence; it lacks {}: "
        "{}",
        lacks, fmt::join(header_, ", ")));
  }

  // The first column that holds nothing else has the names, if there is one that has no numbers.
  void name_by_place() {
    for (std::size_t i = 0; i < header_.size(); ++i) {
      bool taken = false;
      for (std::size_t c = 0; c < static_cast<std::size_t>(PairColumn::count); ++c) {
        taken = taken || columns_[static_cast<PairColumn>(c)] == i;
      }
      double number = 0;
      const bool named =
          i < below_.size() && !below_[i].empty() && !holds_sequence(below_, i) && !parse_number(below_[i], number);
      if (taken || !named) continue;
      columns_[PairColumn::name] = i;
      return;
    }
  }

  const Cells& header_;
  const Cells& below_;
  const PairColumnChoice& choice_;
  PairColumns columns_;
};

}  // namespace

std::optional<PairColumns> find_pair_columns(const Cells& header, const Cells& below, const PairColumnChoice& choice) {
  return Finder(header, below, choice).find();
}

std::optional<PairColumns> counted_pair_columns(const PairColumnChoice& choice, std::size_t width) {
  if (!choice.any()) return std::nullopt;
  PairColumns columns;
  const auto take = [&](const char* option, const std::string& text, PairColumn column) {
    if (text.empty()) return;
    std::size_t number = 0;
    if (!is_number(text)) throw UsageError(fmt::format("{} {}: the table has no header with this name", option, text));
    if (!parse_number(text, number) || number < 1 || number > width) {
      throw UsageError(fmt::format("{} {}: the table has columns 1 to {}", option, text, width));
    }
    columns[column] = number - 1;
  };
  take("--name-column", choice.name, PairColumn::name);
  take("--forward-column", choice.forward, PairColumn::forward);
  take("--reverse-column", choice.reverse, PairColumn::reverse);
  // The usual order for those that are not chosen: name, forward, reverse.
  for (const PairColumn column : {PairColumn::name, PairColumn::forward, PairColumn::reverse}) {
    const auto is_free = [&](std::size_t i) {
      return columns[PairColumn::name] != i && columns[PairColumn::forward] != i && columns[PairColumn::reverse] != i;
    };
    for (std::size_t i = 0; i < width && !columns.has(column); ++i) {
      if (is_free(i)) columns[column] = i;
    }
  }
  if (!columns.pairs()) throw UsageError("--forward-column and --reverse-column: the table has too few columns");
  return columns;
}

}  // namespace basesweep
