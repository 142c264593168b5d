// The matrix files of CIS-BP and CIS-BP-RNA: lines of a word, a tab and a value, if any, then a table of positions.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/base/fields.hpp"
#include "lib/reader/matrix_text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kColumns = 5;  // the position, and four letters

class CisBpReader {
 public:
  CisBpReader(std::string_view file_title, MatrixList list) : file_title_(file_title), list_(std::move(list)) {}

  std::vector<FileMatrix> read(const std::vector<MatrixLine>& lines) {
    for (const MatrixLine& line : lines) take(line);
    end(lines.back().number);
    std::vector<FileMatrix> matrices = list_.finish();
    tell_apart(matrices);  // a motif may be that of several factors
    return matrices;
  }

 private:
  void take(const MatrixLine& line) {
    const char first = line.text.front();
    if (is_cis_bp_head(line)) return start(line);
    if (first >= '0' && first <= '9') return add_row(line);
    end(line.number);
    std::string_view value = line.text;
    const std::string_view word = take_to(value, '\t');
    if (word == "Motif") id_ = value;
    if (word == "TF Name" || word == "RBP Name") name_ = value;
  }

  void start(const MatrixLine& line) {
    end(line.number);
    list_.start(id_.empty() ? file_title_ : id_, name_, line.number);
    id_ = name_ = {};
    codes_ = list_.columns(words_of(line.text), line.number, "Pos");
    rows_ = 0;
  }

  void add_row(const MatrixLine& line) {
    if (!rows_) list_.fail_file(line.number, "a row of numbers before the line 'Pos A C G T'");
    const std::vector<std::string_view> words = words_of(line.text);
    std::size_t number = 0;
    if (!parse_number(words.front(), number) || number != ++*rows_) {
      list_.fail(line.number, fmt::format("expected the row of position {}, found '{}'", *rows_, words.front()));
    }
    list_.add_position({words.begin() + 1, words.end()}, line.number, codes_);
  }

  void end(std::size_t line) {
    if (rows_) list_.complete(line);
    rows_.reset();
  }

  std::string_view file_title_;
  MatrixList list_;
  std::string_view id_, name_;                  // of the matrix that comes
  std::array<unsigned, 4> codes_ = kFileOrder;  // the bases of the columns
  std::optional<std::size_t> rows_;             // of the open matrix, so far
};

}  // namespace

bool is_cis_bp_head(const MatrixLine& line) {
  const std::vector<std::string_view> words = words_of(line.text);
  return words.size() == kColumns && words.front() == "Pos" &&
         std::all_of(words.begin() + 1, words.end(), [](std::string_view word) { return word.size() == 1; });
}

std::vector<FileMatrix> read_cis_bp(const std::vector<MatrixLine>& lines, std::string_view file_title,
                                    MatrixList list) {
  return CisBpReader(file_title, std::move(list)).read(lines);
}

}  // namespace basesweep
