// TRANSFAC's matrix format: lines that begin with a two-letter code, "//" behind each matrix.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "lib/base/fields.hpp"
#include "lib/reader/matrix_text.hpp"

namespace basesweep {
namespace {

class TransfacReader {
 public:
  explicit TransfacReader(MatrixList list) : list_(std::move(list)) {}

  std::vector<FileMatrix> read(const std::vector<MatrixLine>& lines) {
    for (const MatrixLine& line : lines) take(line);
    end(lines.empty() ? 1 : lines.back().number);
    return list_.finish();
  }

 private:
  void take(const MatrixLine& line) {
    const std::vector<std::string_view> words = words_of(line.text);
    const std::string_view code = words.front();
    const std::string_view value = words.size() > 1 ? words[1] : std::string_view();
    if (code == "//") return end(line.number);
    if (code == "AC") accession_ = value;
    if (code == "ID") identifier_ = value;
    if (code == "NA") name_ = value;
    if (code == "PO" || code == "P0") return begin_rows(words, line.number);
    if (code.front() < '0' || code.front() > '9') {
      in_rows_ = false;
      in_section_ = code != "XX";
    } else if (in_rows_) {
      // Behind the numbers there may be the letter of the consensus.
      const std::size_t count = std::min<std::size_t>(words.size() - 1, 4);
      list_.add_position({words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(count)}, line.number,
                         codes_);
    } else if (!open_ || !in_section_ || is_position(words)) {
      list_.fail_file(line.number, open_ ? "a row of numbers that is apart from those behind the line P0"
                                         : "a row of numbers before the line P0");
    }
  }

  // Sections behind the matrix have rows that begin with a number too (XL: the sites at each position). A row of the
  // matrix has four numbers behind the first; it is never passed over.
  static bool is_position(const std::vector<std::string_view>& words) {
    constexpr std::size_t kWords = 5;
    double number = 0;
    return words.size() >= kWords &&
           std::all_of(words.begin() + 1, words.begin() + kWords,
                       [&number](std::string_view word) { return parse_number(word, number); });
  }

  void begin_rows(const std::vector<std::string_view>& words, std::size_t line) {
    const std::string_view id = !accession_.empty() ? accession_ : !identifier_.empty() ? identifier_ : name_;
    const std::string_view name = !name_.empty() ? name_ : identifier_ != id ? identifier_ : std::string_view();
    if (open_) list_.fail(line, "a second line P0: expected // behind each matrix");
    list_.start(id, name, line);
    open_ = true;
    in_rows_ = true;
    codes_ = list_.columns(words, line, "P0");
  }

  void end(std::size_t line) {
    if (open_) list_.complete(line);
    open_ = in_rows_ = in_section_ = false;
    accession_ = identifier_ = name_ = {};
  }

  MatrixList list_;
  std::string_view accession_, identifier_, name_;
  std::array<unsigned, 4> codes_ = kFileOrder;  // the bases of the columns
  bool open_ = false;                           // a matrix has begun
  bool in_rows_ = false;                        // of the matrix
  bool in_section_ = false;                     // of text, which a code other than XX has begun
};

}  // namespace

std::vector<FileMatrix> read_transfac(const std::vector<MatrixLine>& lines, MatrixList list) {
  return TransfacReader(std::move(list)).read(lines);
}

}  // namespace basesweep
