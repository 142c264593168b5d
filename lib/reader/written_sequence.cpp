#include "lib/reader/written_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/upper_case.hpp"
#include "lib/reader/characters.hpp"
#include "lib/reader/modifications.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

bool is_letter(char c) { return pattern_letter_set(c) != 0; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_prefix(char c) { return c == 'r' || c == 'm'; }  // of rA (RNA) and mA (2'-O-methyl RNA)

// A base that a prefix may stand before; codes are written in capitals too, but never after a prefix.
bool is_prefixed(char c) { return std::string_view("ACGTUI").find(c) != std::string_view::npos; }

// Reads one sequence of a pattern.
class SequenceReader {
 public:
  // `first`: the position of the text's first character.
  SequenceReader(std::string_view text, std::size_t first) : text_(text), first_(first), all_(characters_of(text)) {
    for (const Character& one : all_) plain_ += one.plain;
    end_ = plain_.size();
  }

  WrittenSequence read() {
    take_ends();
    choose_prefixes();
    slashes_ = std::count(plain_.begin() + static_cast<std::ptrdiff_t>(at_),
                          plain_.begin() + static_cast<std::ptrdiff_t>(end_), '/');
    while (read_.fault.empty() && at_ < end_) take();
    read_.letters = upper_case(std::move(read_.letters));
    return std::move(read_);
  }

  std::size_t characters() const { return all_.size(); }

 private:
  // `at`: the number of the character, from 1.
  void fail(std::size_t at, const std::string& what) {
    if (!read_.fault.empty()) return;
    read_.fault = fmt::format("position {}: {}", first_ + at, what);
    read_.fault_at = all_[at - 1].at;
  }

  // The character as a message names it.
  std::string shown(std::size_t at) const {
    const Character& one = all_[at];
    return one.bytes == 1 ? printable(text_[one.at]) : fmt::format("'{}'", text_.substr(one.at, one.bytes));
  }

  std::string_view inside(std::size_t begin, std::size_t end) const {
    return std::string_view(plain_).substr(begin, end - begin);
  }

  void skip_blanks() {
    for (; at_ < end_ && plain_[at_] == ' '; ++at_) ++read_.left_out.blanks;
    for (; at_ < end_ && plain_[end_ - 1] == ' '; --end_) ++read_.left_out.blanks;
  }

  // How many characters a mark of this end takes at the front: 5', 5'-, 5-. 0: there is none.
  std::size_t mark_in_front(char digit) const {
    const std::string_view rest = inside(at_, end_);
    if (rest.size() < 2 || rest.front() != digit) return 0;
    std::size_t size = 1;
    while (size < rest.size() && rest[size] == '\'') ++size;
    const bool prime = size > 1;
    std::size_t dash = size;
    while (dash < rest.size() && rest[dash] == ' ') ++dash;
    const std::size_t blanks = dash - size;
    while (dash < rest.size() && rest[dash] == '-') ++dash;
    if (dash > size + blanks) return prime || blanks == 0 ? dash : 0;
    return prime ? size : 0;
  }

  // The same behind the sequence: 3', -3', -3.
  std::size_t mark_behind(char digit) const {
    const std::string_view rest = inside(at_, end_);
    std::size_t size = 0;
    while (size < rest.size() && rest[rest.size() - 1 - size] == '\'') ++size;
    const bool prime = size > 0;
    if (size == rest.size() || rest[rest.size() - 1 - size] != digit) return 0;
    std::size_t dash = ++size;
    while (dash < rest.size() && rest[rest.size() - 1 - dash] == ' ') ++dash;
    const std::size_t blanks = dash - size;
    while (dash < rest.size() && rest[rest.size() - 1 - dash] == '-') ++dash;
    if (dash > size + blanks) return prime || blanks == 0 ? dash : 0;
    return prime ? size : 0;
  }

  // ": GAATTC", the letters from behind; "" where there are others than letters and marks of ends.
  std::string turned() const {
    std::string letters;
    for (auto c = plain_.rbegin(); c != plain_.rend(); ++c) {
      if (is_letter(*c)) letters += *c;
      if (!is_letter(*c) && std::string_view("35'- ").find(*c) == std::string_view::npos) return "";
    }
    return ": " + letters;
  }

  void take_ends() {
    skip_blanks();
    if (mark_in_front('3') != 0 || mark_behind('5') != 0) {
      return fail(at_ + 1, "the sequence is written from 3' to 5': write it from 5' to 3'" + turned());
    }
    const std::size_t front = mark_in_front('5');
    read_.left_out.ends += front != 0 ? 1 : 0;
    at_ += front;
    const std::size_t behind = mark_behind('3');
    read_.left_out.ends += behind != 0 ? 1 : 0;
    end_ -= behind;
    skip_blanks();
  }

  // Decides whether r and m before capitals mark RNA. They do where every base has one, or a mark of another kind shows
  // an order form; alone among capitals they are more likely codes in lower case, and in lower-case text they are.
  void choose_prefixes() {
    std::size_t prefixes = 0;
    std::size_t bare = 0;  // bases without a prefix
    bool marks = false;
    bool possible = true;
    for (std::size_t i = at_; i < end_; ++i) {
      const char c = plain_[i];
      if (c == '/') {
        const std::size_t close = plain_.find('/', i + 1);
        marks = true;
        if (close < end_) i = close;
      } else if (c == '*' || c == '+') {
        marks = true;
      } else if (is_prefix(c) && i + 1 < end_ && is_prefixed(plain_[i + 1])) {
        ++prefixes;
        ++i;
      } else if (is_letter(c)) {
        possible = possible && is_capital(c);
        ++bare;
      }
    }
    if (!possible || prefixes == 0) return;
    prefixes_ = marks || (bare == 0 && prefixes > 1);
    if (!prefixes_) read_.left_out.doubtful += prefixes;
  }

  void take() {
    const char c = plain_[at_];
    const char next = at_ + 1 < end_ ? plain_[at_ + 1] : '\0';
    if (c == ' ') {
      ++read_.left_out.blanks;
      ++at_;
    } else if (prefixes_ && is_prefix(c) && is_prefixed(next)) {
      take_mark(read_.left_out.modifications);
    } else if (is_letter(c)) {
      read_.letters += c;
      ++at_;
    } else if (c == '+' && is_letter(next)) {
      take_mark(read_.left_out.modifications);
    } else if (c == '*' && !read_.letters.empty() && next != '\0' && next != '*') {
      take_mark(read_.left_out.modifications);
    } else if (c == '^' || (c == '_' && plain_.find('^') != std::string::npos) || (c == '/' && slashes_ == 1)) {
      take_mark(read_.left_out.cut_marks);
    } else if (c == '/') {
      take_modification();
    } else if (c == '[' || c == '(' || c == '{') {
      take_bracket();
    } else {
      fail_at(c, next);
    }
  }

  void take_mark(std::uint64_t& count) {
    ++count;
    ++at_;
  }

  void fail_at(char c, char next) {
    const bool list = (c == ',' || c == ';') && (is_letter(next) || next == ' ');
    fail(at_ + 1,
         list ? fmt::format("{} is not a nucleotide or IUPAC code (for several sequences, give each on its own, "
                            "or join with '|' those that count as one pattern)",
                            shown(at_))
              : fmt::format("{} is not a nucleotide or IUPAC code", shown(at_)));
  }

  // "/5Phos/": a modification as IDT writes it.
  void take_modification() {
    const std::size_t close = plain_.find('/', at_ + 1);
    if (close >= end_) return fail(at_ + 1, "'/' is not a nucleotide or IUPAC code (a modification ends in '/' too)");
    take_named(close);
  }

  // Takes a modification, whose marks are at `at_` and `close`. What may say a choice of bases, as "[AT]", or a number
  // of them, as "(20)", is none.
  void take_named(std::size_t close) {
    const std::string_view written = inside(at_, close + 1);
    const std::string_view name = inside(at_ + 1, close);
    if (const char code = code_of(name); code != '\0') {
      return fail(at_ + 1, fmt::format("'{}' is not a code: write {} for it{}", written, code,
                                       written.front() == '/' ? "" : ", " + with_codes()));
    }
    const auto is_ascii_letter = [](char c) { return is_capital(static_cast<char>(c & ~0x20)); };
    if (std::count_if(name.begin(), name.end(), is_ascii_letter) < 2 || name.find(' ') != std::string_view::npos) {
      return fail_at(written.front(), '\0');
    }
    const Modification meaning = modification_of(name);
    const bool at_end = is_end(close);
    const bool wrong_end =
        (meaning.place == '5' && !read_.letters.empty()) || (meaning.place == '3' && has_base(close + 1));
    if (wrong_end) {
      return fail(at_ + 1, fmt::format("the modification {} is for the {}' end, but bases stand {} it", written,
                                       meaning.place, meaning.place == '5' ? "before" : "behind"));
    }
    if (meaning.kind == Modification::Kind::unknown && !(at_end && meaning.place != 'i')) {
      return fail(at_ + 1,
                  fmt::format("the modification {} may stand for a base: write the base, or N, in its place, or "
                              "leave it out",
                              written));
    }
    ++read_.left_out.modifications;
    if (meaning.kind == Modification::Kind::base) read_.letters += meaning.base;
    at_ = close + 1;
  }

  // Whether what closes here stands before all bases, or behind them.
  bool is_end(std::size_t close) const { return read_.letters.empty() || !has_base(close + 1); }

  bool has_base(std::size_t from) const {
    bool base = false;
    for (std::size_t i = from; i < end_ && !base; ++i) {
      if (plain_[i] == '/' || plain_[i] == '[' || plain_[i] == '(') {
        const std::size_t close = plain_.find(plain_[i] == '/' ? '/' : plain_[i] == '[' ? ']' : ')', i + 1);
        if (close >= end_) return true;
        i = close;
      } else {
        base = is_letter(plain_[i]);
      }
    }
    return base;
  }

  // "[FAM]" at an end, "(1/5)" of a restriction site, or "[AT]", for which there is a code.
  void take_bracket() {
    const char open = plain_[at_];
    const std::size_t close = plain_.find(open == '[' ? ']' : open == '(' ? ')' : '}', at_ + 1);
    if (close >= end_) return fail_at(open, '\0');
    const std::string_view content = inside(at_ + 1, close);
    const bool cut =
        open == '(' && is_end(close) && content.find('/') != std::string::npos &&
        std::all_of(content.begin(), content.end(), [](char c) { return is_digit(c) || c == '/' || c == '-'; });
    if (cut) {
      ++read_.left_out.cut_marks;
      at_ = close + 1;
    } else {
      take_named(close);
    }
  }

  // The code for one of several bases, "AT", "A/T" or "A,T"; 0 if the content is not bases.
  static char code_of(std::string_view content) {
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

  // The text with codes in place of its brackets.
  std::string with_codes() const {
    std::string text;
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      const std::size_t close = plain_[i] == '['   ? plain_.find(']', i)
                                : plain_[i] == '(' ? plain_.find(')', i)
                                                   : std::string::npos;
      const char code = close < plain_.size() ? code_of(inside(i + 1, close)) : '\0';
      text += code != '\0' ? code : plain_[i];
      if (code != '\0') i = close;
    }
    return text;
  }

  std::string_view text_;
  std::size_t first_;
  std::vector<Character> all_;
  std::string plain_;  // Character::plain of each
  std::size_t at_ = 0;
  std::size_t end_ = 0;  // of what is read
  std::ptrdiff_t slashes_ = 0;
  bool prefixes_ = false;  // r and m before capitals mark RNA
  WrittenSequence read_;
};

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

LeftOut& LeftOut::operator+=(const LeftOut& more) {
  blanks += more.blanks;
  ends += more.ends;
  modifications += more.modifications;
  cut_marks += more.cut_marks;
  doubtful += more.doubtful;
  return *this;
}

std::string LeftOut::sentence() const {
  std::vector<std::string> parts;
  if (blanks != 0) parts.push_back(counted(blanks, "blank", "blanks"));
  if (ends != 0) parts.push_back(counted(ends, "mark of an end (5', 3')", "marks of ends (5', 3')"));
  if (modifications != 0) parts.push_back(counted(modifications, "modification", "modifications"));
  if (cut_marks != 0) parts.push_back(counted(cut_marks, "cut mark", "cut marks"));
  if (parts.empty()) return "";
  const std::string last = parts.back();
  parts.pop_back();
  const bool single = blanks + ends + modifications + cut_marks == 1;
  return fmt::format("{}{}{} {} left out", fmt::join(parts, ", "), parts.empty() ? "" : " and ", last,
                     single ? "was" : "were");
}

bool is_plain_sequence(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_letter(text[i]) && text[i] != kAlternative) return false;
    if (is_prefix(text[i]) && i + 1 < text.size() && is_capital(text[i + 1])) return false;
  }
  return true;
}

WrittenSequence read_written(std::string_view written) {
  WrittenSequence all;
  if (is_plain_sequence(written)) {
    all.letters = upper_case(std::string(written));
    return all;
  }
  std::size_t position = 0;
  for (std::string_view rest = written;;) {
    // A '|' in brackets belongs to them.
    std::size_t end = 0;
    bool bracket = false;
    for (; end < rest.size() && (bracket || rest[end] != kAlternative); ++end) {
      bracket = rest[end] == '(' || rest[end] == '[' || (bracket && rest[end] != ')' && rest[end] != ']');
    }
    SequenceReader reader(rest.substr(0, end), position);
    WrittenSequence one = reader.read();
    all.letters += one.letters;
    all.left_out += one.left_out;
    all.fault = std::move(one.fault);
    all.fault_at = written.size() - rest.size() + one.fault_at;
    if (!all.fault.empty() || end == rest.size()) return all;
    all.letters += kAlternative;
    position += reader.characters() + 1;
    rest.remove_prefix(end + 1);
  }
}

bool is_sequence_with_blanks(std::string_view line) {
  constexpr std::size_t kShortest = 3;
  constexpr std::size_t kLongest = 10;
  if (line.find_first_of(",;\t") != std::string_view::npos) return false;
  std::string text;
  for (const Character& one : characters_of(line)) text += one.plain;
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  text = text.substr(first, text.find_last_not_of(' ') + 1 - first);
  if (text.find(' ') == std::string::npos) return false;
  if (text.starts_with("5'")) return read_written(line).fault.empty();
  std::vector<std::size_t> blocks;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (!std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end),
                     is_letter)) {
      return false;
    }
    blocks.push_back(end - at);
    at = end + 1;
  }
  const std::size_t size = blocks.front();
  return blocks.size() > 2 && size >= kShortest && size <= kLongest && blocks.back() <= size && blocks.back() != 0 &&
         std::all_of(blocks.begin(), blocks.end() - 1, [size](std::size_t block) { return block == size; });
}

}  // namespace basesweep
