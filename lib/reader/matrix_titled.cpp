// Matrix formats with titles that start with '>'.
#include <fmt/format.h>

#include <algorithm>

#include "lib/base/fields.hpp"
#include "lib/reader/matrix_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kBlanks = " \t";

// Starts a matrix from a title ">ID name".
void start_titled(const MatrixLine& title, MatrixList& list) {
  const std::string_view text = trimmed(title.text.substr(1), kBlanks);
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  std::string_view name = trimmed(text.substr(end), kBlanks);
  name = name.substr(0, name.find('\t'));
  list.start(text.substr(0, end), name, title.number);
}

// Starts a matrix of HOMER from its title: consensus, name, threshold, and more that does not matter here, with tabs
// between them.
void start_homer(const MatrixLine& title, MatrixList& list) {
  std::string_view rest = title.text.substr(1);
  const std::string_view consensus = trimmed(take_to(rest, '\t'), kBlanks);
  const std::string_view name = trimmed(take_to(rest, '\t'), kBlanks);
  const std::string_view threshold = trimmed(take_to(rest, '\t'), kBlanks);
  FileMatrix& matrix = list.start(name.empty() ? consensus : name, name.empty() ? "" : consensus, title.number);
  if (threshold.empty()) return;
  double number = 0;
  if (!parse_number(threshold, number) || !(number > -1e6 && number < 1e6)) {
    list.fail(title.number, fmt::format("the threshold '{}' is not a number", threshold));
  }
  matrix.threshold = number;
}

// The numbers of a row of JASPAR: "A [ 1 2 3 ]", or without letter and brackets.
std::vector<std::string_view> numbers_of(std::string_view row, std::size_t index, std::size_t line,
                                         const MatrixList& list) {
  constexpr std::string_view kLetters = "ACGT";
  const char first = row.front();
  if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')) {
    const char letter = static_cast<char>(first & ~0x20);
    if ((letter == 'U' ? 'T' : letter) != kLetters[index]) {
      list.fail(line, fmt::format("expected the row of {}, found '{}'", kLetters[index], first));
    }
    row = trimmed(row.substr(1), kBlanks);
  }
  const bool opens = row.starts_with('[');
  if (opens != row.ends_with(']')) list.fail(line, "expected numbers between '[' and ']'");
  if (opens) row = row.substr(1, row.size() - 2);
  return words_of(row);
}

}  // namespace

std::vector<FileMatrix> read_jaspar(const std::vector<TitledMatrix>& blocks, MatrixList list) {
  for (const TitledMatrix& block : blocks) {
    start_titled(block.title, list);
    if (block.rows.size() != 4) {
      const std::size_t line = block.rows.size() > 4 ? block.rows[4].number : block.title.number;
      list.fail(line, fmt::format("expected 4 rows, for A, C, G and T, found {}", block.rows.size()));
    }
    std::vector<std::vector<std::string_view>> rows;
    for (std::size_t i = 0; i < 4; ++i) {
      const MatrixLine& row = block.rows[i];
      rows.push_back(numbers_of(row.text, i, row.number, list));
      for (const std::string_view word : rows.back()) list.number(word, row.number);
      if (rows.back().size() == rows.front().size()) continue;
      list.fail(row.number,
                fmt::format("the row has {} numbers, the first one has {}", rows.back().size(), rows.front().size()));
    }
    for (std::size_t i = 0; i < rows.front().size(); ++i) {
      list.add_position({rows[0][i], rows[1][i], rows[2][i], rows[3][i]}, block.rows[0].number);
    }
    list.complete(block.rows.back().number);
  }
  return list.finish();
}

std::vector<FileMatrix> read_rows(const std::vector<TitledMatrix>& blocks, MatrixFormat format, MatrixList list) {
  const bool homer = format == MatrixFormat::homer;
  for (const TitledMatrix& block : blocks) {
    homer ? start_homer(block.title, list) : start_titled(block.title, list);
    for (const MatrixLine& row : block.rows) list.add_position(words_of(row.text), row.number);
    list.complete(block.rows.empty() ? block.title.number : block.rows.back().number);
  }
  std::vector<FileMatrix> matrices = list.finish();
  if (homer) tell_apart(matrices);  // as in its own known.motifs
  return matrices;
}

}  // namespace basesweep
