// MEME's text format.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/base/dna.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/matrix_text.hpp"

namespace basesweep {
namespace {

class MemeReader {
 public:
  MemeReader(const std::vector<MatrixLine>& lines, MatrixList list) : lines_(lines), list_(std::move(list)) {}

  std::vector<FileMatrix> read() {
    while (next_ < lines_.size()) {
      const MatrixLine& line = lines_[next_++];
      if (line.text.starts_with("ALPHABET")) {
        check_alphabet(line);
      } else if (line.text.starts_with("Background letter frequencies")) {
        read_rates(line.number);
      } else if (line.text.starts_with("MOTIF") && words_of(line.text).front() == "MOTIF") {
        start(line);
      } else if (line.text.starts_with("letter-probability matrix:")) {
        read_columns(line);
      }
    }
    check_last();
    return list_.finish();
  }

 private:
  void check_alphabet(const MatrixLine& line) const {
    std::string_view rest = line.text.substr(std::string_view("ALPHABET").size());
    const std::size_t begin = rest.find_first_not_of("= \t");
    rest.remove_prefix(std::min(begin, rest.size()));
    for (const std::string_view known : {"ACGT", "ACGU", "DNA", "RNA"}) {
      if (rest == known) return;
    }
    if (rest.starts_with("\"DNA\"") || rest.starts_with("\"RNA\"")) return;
    list_.fail_file(line.number,
                    fmt::format("the alphabet is {}: only matrices of DNA (ACGT) or RNA (ACGU) can be searched", rest));
  }

  // Pairs of a letter and its rate, on one line or several.
  void read_rates(std::size_t title) {
    PerBase rates{};
    unsigned found = 0;
    while (next_ < lines_.size() && found != 15) {
      const MatrixLine& line = lines_[next_];
      const std::vector<std::string_view> words = words_of(line.text);
      if (words.size() % 2 != 0 || words.front().size() != 1) break;
      for (std::size_t i = 0; i < words.size(); i += 2) {
        const BaseSet set = words[i].size() == 1 ? iupac_set(words[i].front()) : BaseSet{0};
        if (!is_single_base(set)) {
          list_.fail_file(line.number, fmt::format("background: '{}' is not A, C, G or T", words[i]));
        }
        double rate = 0;
        if (!parse_number(words[i + 1], rate) || !(rate >= 0 && rate <= 1)) {
          list_.fail_file(line.number, fmt::format("background: '{}' is not a rate of 0 to 1", words[i + 1]));
        }
        rates[single_base(set)] = rate;
        found |= set;
      }
      ++next_;
    }
    if (found != 15) list_.fail_file(title, "background: expected rates of A, C, G and T in the lines that follow");
    const double sum = rates[0] + rates[1] + rates[2] + rates[3];
    if (sum < 0.98 || sum > 1.02) {
      list_.fail_file(title, fmt::format("background: the rates sum to {:.4g}, not to 1", sum));
    }
    background_ = rates;
  }

  void start(const MatrixLine& line) {
    check_last();
    const std::vector<std::string_view> words = words_of(line.text);
    const bool named = words.size() > 2 && words[2] != "width" && words[2] != "=";
    list_.start(words.size() > 1 ? words[1] : "", named ? words[2] : "", line.number).background = background_;
    open_ = line.number;
  }

  // A matrix whose columns have not come.
  void check_last() const {
    if (open_) list_.fail(*open_, "the matrix has no letter-probability matrix");
  }

  void read_columns(const MatrixLine& title) {
    if (!open_) list_.fail_file(title.number, "expected a line 'MOTIF name' before each letter-probability matrix");
    open_.reset();
    std::optional<std::size_t> width;
    const std::vector<std::string_view> words = words_of(title.text);
    for (std::size_t i = 0; i < words.size(); ++i) {
      // "w= 8" or "w=8"
      const auto value = [&](std::string_view key) -> std::optional<std::string_view> {
        if (!words[i].starts_with(key)) return std::nullopt;
        if (words[i].size() > key.size()) return words[i].substr(key.size());
        return i + 1 < words.size() ? words[i + 1] : std::string_view();
      };
      if (const auto letters = value("alength="); letters && *letters != "4") {
        list_.fail(title.number, fmt::format("alength= {}: only matrices of DNA or RNA can be searched", *letters));
      } else if (const auto sites = value("nsites=")) {
        list_.last().sites = list_.number(*sites, title.number);
        if (list_.last().sites == 0) list_.fail(title.number, "nsites= 0: expected a number above 0");
      } else if (const auto positions = value("w=")) {
        width.emplace();
        if (!parse_number(*positions, *width) || *width == 0) {
          list_.fail(title.number, fmt::format("w= {}: expected a number of positions", *positions));
        }
      }
    }
    std::size_t last = title.number;
    for (std::size_t i = 0; next_ < lines_.size() && (!width || i < *width); ++i, ++next_) {
      const char first = lines_[next_].text.front();
      if (!width && !(first >= '0' && first <= '9') && first != '.') break;
      if (lines_[next_].text.starts_with("MOTIF")) break;
      last = lines_[next_].number;
      list_.add_position(words_of(lines_[next_].text), last);
    }
    if (width && list_.last().columns.size() != *width) {
      list_.fail(last, fmt::format("expected {} rows (w=), found {}", *width, list_.last().columns.size()));
    }
    list_.complete(last);
  }

  const std::vector<MatrixLine>& lines_;
  MatrixList list_;
  std::size_t next_ = 0;
  std::optional<std::size_t> open_;  // the line of a matrix that has no columns yet
  std::optional<PerBase> background_;
};

}  // namespace

std::vector<FileMatrix> read_meme(const std::vector<MatrixLine>& lines, MatrixList list) {
  return MemeReader(lines, std::move(list)).read();
}

}  // namespace basesweep
