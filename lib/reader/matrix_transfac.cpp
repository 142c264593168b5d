// TRANSFAC's matrix format: lines that begin with a two-letter code, "//" behind each matrix.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "lib/base/dna.hpp"
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
    const bool row = code.front() >= '0' && code.front() <= '9';
    if (row != in_rows_) {
      if (row) list_.fail_file(line.number, "a row of numbers before the line P0");
      in_rows_ = false;
    } else if (row) {
      // Behind the numbers there may be the letter of the consensus.
      const std::size_t count = std::min<std::size_t>(words.size() - 1, 4);
      list_.add_position({words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(count)}, line.number,
                         codes_);
    }
  }

  void begin_rows(const std::vector<std::string_view>& words, std::size_t line) {
    const std::string_view id = !accession_.empty() ? accession_ : !identifier_.empty() ? identifier_ : name_;
    const std::string_view name = !name_.empty() ? name_ : identifier_ != id ? identifier_ : std::string_view();
    if (open_) list_.fail(line, "a second line P0: expected // behind each matrix");
    list_.start(id, name, line);
    open_ = true;
    in_rows_ = true;
    BaseSet seen = 0;
    for (std::size_t i = 1; i < words.size() && i <= 4; ++i) {
      const BaseSet set = words[i].size() == 1 ? iupac_set(words[i].front()) : BaseSet{0};
      if (!is_single_base(set)) break;
      codes_[i - 1] = single_base(set);
      seen |= set;
    }
    if (seen != 15) list_.fail(line, "expected the letters A, C, G and T behind P0");
  }

  void end(std::size_t line) {
    if (open_) list_.complete(line);
    open_ = in_rows_ = false;
    accession_ = identifier_ = name_ = {};
  }

  MatrixList list_;
  std::string_view accession_, identifier_, name_;
  std::array<unsigned, 4> codes_ = kFileOrder;  // the bases of the columns
  bool open_ = false;                           // a matrix has begun
  bool in_rows_ = false;
};

}  // namespace

std::vector<FileMatrix> read_transfac(const std::vector<MatrixLine>& lines, MatrixList list) {
  return TransfacReader(std::move(list)).read(lines);
}

}  // namespace basesweep
