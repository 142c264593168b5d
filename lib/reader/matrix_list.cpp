#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/line_names.hpp"
#include "lib/reader/matrix_text.hpp"

namespace basesweep {
namespace {

// Sums of probabilities may be this far from 1. In HOMER's own file known.motifs some sum to 0.95, and HOMER takes
// them.
constexpr double kSumMargin = 0.02;
constexpr double kHomerMargin = 0.1;
// Where no sum is larger, the columns are no counts.
constexpr double kLeastCounts = 1.5;

double sum_of(const PerBase& column) { return column[0] + column[1] + column[2] + column[3]; }

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

FileMatrix& MatrixList::start(std::string_view id, std::string_view name, std::size_t line) {
  if (id.empty()) fail_file(line, "the matrix has no name");
  for (const std::string_view text : {id, name}) {
    if (name_fault(text, NameRule::text).empty()) continue;
    fail_file(line, fmt::format("matrix '{}': a name may not hold control characters, such as tabs", text));
  }
  lines_.clear();
  FileMatrix& matrix = matrices_.emplace_back();
  matrix.id = id;
  matrix.name = name;
  matrix.file = file_;
  matrix.line = line;
  matrix.format = format_;
  return matrix;
}

double MatrixList::number(std::string_view word, std::size_t line) const {
  double number = 0;
  if (!parse_number(word, number) || !std::isfinite(number)) {
    fail(line, fmt::format("'{}' is not a number", word));
  }
  if (number < 0) fail(line, fmt::format("'{}' is negative", word));
  constexpr double kMost = 1e12;
  if (number > kMost) fail(line, fmt::format("'{}' is too large", word));
  return number;
}

std::array<unsigned, 4> MatrixList::columns(const std::vector<std::string_view>& words, std::size_t line,
                                            const char* behind) const {
  std::array<unsigned, 4> codes = kFileOrder;
  BaseSet seen = 0;
  for (std::size_t i = 1; i < words.size() && i <= codes.size(); ++i) {
    const BaseSet set = words[i].size() == 1 ? iupac_set(words[i].front()) : BaseSet{0};
    if (!is_single_base(set)) break;
    codes[i - 1] = single_base(set);
    seen |= set;
  }
  if (seen != 15) fail(line, fmt::format("expected the letters A, C, G and T behind {}", behind));
  return codes;
}

void MatrixList::add_position(const std::vector<std::string_view>& words, std::size_t line,
                              const std::array<unsigned, 4>& codes) {
  if (words.size() != 4) fail(line, fmt::format("expected 4 numbers, for A, C, G and T, found {}", words.size()));
  PerBase column{};
  for (std::size_t i = 0; i < 4; ++i) column[codes[i]] = number(words[i], line);
  if (last().columns.size() == kMaxMatrixWidth) {
    fail(line, fmt::format("a matrix has at most {} positions", kMaxMatrixWidth));
  }
  last().columns.push_back(column);
  lines_.push_back(line);
}

void MatrixList::complete(std::size_t line) {
  if (last().columns.empty()) fail(line, "the matrix has no positions");
  for (std::size_t i = 0; i < last().columns.size(); ++i) {
    if (sum_of(last().columns[i]) == 0) fail(lines_[i], fmt::format("position {} has no counts", i + 1));
  }
  check_probabilities(line);
}

void MatrixList::check_probabilities(std::size_t line) {
  FileMatrix& matrix = last();
  if (format_ == MatrixFormat::jaspar) return;  // always counts
  const auto& columns = matrix.columns;
  const double margin = format_ == MatrixFormat::homer ? kHomerMargin : kSumMargin;
  const auto wrong = std::find_if(columns.begin(), columns.end(),
                                  [margin](const PerBase& column) { return std::abs(sum_of(column) - 1) > margin; });
  matrix.probabilities = wrong == columns.end();
  if (matrix.probabilities) return;
  const auto many = [](const PerBase& column) { return sum_of(column) > kLeastCounts; };
  // HOMER's files have probabilities but for a few matrices, which have counts throughout.
  const bool homer_counts = format_ == MatrixFormat::homer && std::all_of(columns.begin(), columns.end(), many);
  const bool free = format_ == MatrixFormat::transfac || format_ == MatrixFormat::cluster_buster;
  if (homer_counts || (free && std::any_of(columns.begin(), columns.end(), many))) return;
  const auto place = static_cast<std::size_t>(wrong - columns.begin());
  fail(std::min(lines_[place], line),
       fmt::format("the probabilities of position {} sum to {:.4g}, not to 1", place + 1, sum_of(*wrong)));
}

void tell_apart(std::vector<FileMatrix>& matrices) {
  std::map<std::string, std::size_t> times;
  for (const FileMatrix& matrix : matrices) ++times[matrix.id];
  for (FileMatrix& matrix : matrices) {
    if (times[matrix.id] > 1 && !matrix.name.empty()) matrix.id += "/" + matrix.name;
  }
}

std::vector<FileMatrix> MatrixList::finish() {
  if (matrices_.empty()) throw DataError(fmt::format("{}: no matrices in this file", file_));
  return std::move(matrices_);
}

void MatrixList::fail(std::size_t line, const std::string& what) const {
  if (matrices_.empty()) fail_file(line, what);
  throw DataError(fmt::format("{}: line {}: matrix '{}': {}", file_, line, matrices_.back().id, what));
}

void MatrixList::fail_file(std::size_t line, const std::string& what) const {
  throw DataError(fmt::format("{}: line {}: {}", file_, line, what));
}

}  // namespace basesweep
