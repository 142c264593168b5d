#include "lib/reader/written_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/reader/written_sequence.hpp"

namespace basesweep {
namespace {

bool is_letter(char c) { return pattern_letter_set(c) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_ascii_letter(char c) { return is_capital(static_cast<char>(c & ~0x20)); }

// The end of the digits that start at `at`.
std::size_t end_of_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// Where the bracket that opens at `at` closes; npos if none opens there, or it stays open.
std::size_t closing(std::string_view text, std::size_t at) {
  const char open = text[at];
  return open == '['   ? text.find(']', at)
         : open == '(' ? text.find(')', at)
         : open == '{' ? text.find('}', at)
                       : std::string_view::npos;
}

// Writes out repeats of letters.
class Speller {
 public:
  explicit Speller(std::string_view text) : text_(text) {}

  std::string spell() {
    while (at_ < text_.size()) {
      const std::size_t close = closing(text_, at_);
      const std::size_t digits = end_of_digits(text_, at_);
      if (close != std::string_view::npos) {
        take_bracket(close);
      } else if (digits == at_ || !counts_ || !repeat(text_.substr(at_, digits - at_), digits)) {
        copy();
      }
    }
    return std::move(out_);
  }

 private:
  void copy() {
    const char c = text_[at_++];
    out_ += c;
    unit_ = is_letter(c) ? std::string(1, c) : "";
    counts_ = c == 'N' || c == 'n';
  }

  void take_bracket(std::size_t close) {
    const std::string_view content = text_.substr(at_ + 1, close - at_ - 1);
    if (text_[at_] == '{' && !unit_.empty() && repeat(content, close + 1)) return;
    const bool counted = text_[at_] == '(' && close + 1 < text_.size() && is_digit(text_[close + 1]);
    const bool letters = !content.empty() && std::all_of(content.begin(), content.end(), is_letter);
    const char code = code_of(content);
    if (code == '\0') return copy();
    unit_ = counted && letters ? std::string(content) : std::string(1, code);
    counts_ = true;
    out_ += unit_;
    at_ = close + 1;
  }

  // Repeats the last unit, which is in the text once; false if this is not a number, or not one of a sequence.
  bool repeat(std::string_view number, std::size_t end) {
    std::size_t times = 0;
    constexpr std::size_t kMost = 1000;
    if (!parse_number(number, times) || times == 0 || times > kMost || out_.size() > kMost) return false;
    for (std::size_t i = 1; i < times; ++i) out_ += unit_;
    unit_.clear();
    counts_ = false;
    at_ = end;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::string unit_;     // the text that a number in braces repeats; "": nothing
  bool counts_ = false;  // a number without braces repeats it too
};

// Dyes and similar names that have only letters of codes, or all except one.
constexpr std::array<std::string_view, 11> kNamesLikeCodes{"TAMRA",  "VIC",    "MGB",   "BTN",      "AMCA", "DIG",
                                                           "BIOTIN", "DABCYL", "AMINO", "ACRYDITE", "FITC"};

struct Word {
  std::string_view text;
  std::size_t at;

  bool is_name() const {
    const std::string upper = upper_case(std::string(text));
    return std::find(kNamesLikeCodes.begin(), kNamesLikeCodes.end(), upper) != kNamesLikeCodes.end();
  }
  bool is_sequence() const { return std::all_of(text.begin(), text.end(), is_letter) && !is_name(); }
  bool is_end() const { return text == "5'" || text == "3'"; }
  // A word with few wrong letters is more likely sequence with a mistake in it.
  bool may_be_name() const {
    if (!std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_ascii_letter(c); })) return false;
    return is_name() || 4 * std::count_if(text.begin(), text.end(), [](char c) { return !is_letter(c); }) >
                            static_cast<std::ptrdiff_t>(text.size());
  }
};

std::vector<Word> words_of(std::string_view text) {
  constexpr std::string_view kBetween = "- ";
  std::vector<Word> words;
  for (std::size_t at = text.find_first_not_of(kBetween); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    words.push_back({text.substr(at, end - at), at});
    at = text.find_first_not_of(kBetween, end);
  }
  return words;
}

// The name that the words are together; "" if they are none.
std::string name_of(const std::vector<Word>& words) {
  std::string name;
  for (const Word& word : words) {
    if (word.is_end()) continue;
    if (!word.may_be_name()) return "";
    name += (name.empty() ? "" : "-") + std::string(word.text);
  }
  return std::count_if(name.begin(), name.end(), is_ascii_letter) < 2 ? "" : name;
}

// "/56-FAM/": the name at this end as a modification.
std::string modification(const std::string& name, char end) {
  if (name.empty()) return "";
  const std::string upper = upper_case(name);
  return fmt::format("/{}{}/", end, upper == "FAM" || upper == "6FAM" ? "6-FAM" : name);
}

}  // namespace

char code_of(std::string_view content) {
  BaseSet set = 0;
  std::size_t bases = 0;
  for (const char c : content) {
    if (c == '/' || c == ',' || c == '|' || c == ' ') continue;
    if (iupac_set(c) == 0) return '\0';
    set |= iupac_set(c);
    ++bases;
  }
  return bases == 0 ? '\0' : iupac_letter(set);
}

std::string spelled_out(std::string_view text) { return Speller(text).spell(); }

std::optional<OddNames> odd_names(std::string_view text) {
  constexpr std::size_t kShortest = 5;  // letters of a sequence
  const std::vector<Word> words = words_of(text);
  const auto is_sequence = [](const Word& word) { return word.is_sequence(); };
  const auto first = std::find_if(words.begin(), words.end(), is_sequence);
  if (first == words.end()) return std::nullopt;
  const auto last = std::find_if(words.rbegin(), words.rend(), is_sequence).base();
  const std::string front = name_of({words.begin(), first});
  const std::string behind = name_of({last, words.end()});
  if (front.empty() && behind.empty()) return std::nullopt;
  const Word& end = *(last - 1);
  const WrittenSequence core = read_written(text.substr(first->at, end.at + end.text.size() - first->at));
  if (!core.fault.empty() || core.letters.size() < kShortest) return std::nullopt;
  const std::string kept = modification(front, '5') + core.letters + modification(behind, '3');
  const bool one = front.empty() || behind.empty();
  const auto odd =
      std::find_if(front.empty() ? last : words.begin(), words.end(), [](const Word& word) { return !word.is_end(); });
  return OddNames{odd->at, fmt::format("{} not sequence: write {}{}",
                                       one ? fmt::format("'{}{}' is", front, behind)
                                           : fmt::format("'{}' and '{}' are", front, behind),
                                       core.letters, read_written(kept).fault.empty() ? ", or " + kept : "")};
}

}  // namespace basesweep
