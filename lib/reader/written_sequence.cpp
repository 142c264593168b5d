#include "lib/reader/written_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/reader/characters.hpp"
#include "lib/reader/letter_marks.hpp"
#include "lib/reader/modifications.hpp"
#include "lib/reader/written_advice.hpp"
#include "lib/search/pattern.hpp"

namespace basesweep {
namespace {

bool is_letter(char c) { return pattern_letter_set(c) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

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
    choose_marks();
    slashes_ = std::count(plain_.begin() + static_cast<std::ptrdiff_t>(at_),
                          plain_.begin() + static_cast<std::ptrdiff_t>(end_), '/');
    while (read_.fault.empty() && at_ < end_) take();
    constexpr std::size_t kMostOfSite = 10;  // bases of a restriction site that is cut before its first one
    if (anchored_ && read_.letters.size() > kMostOfSite) ++read_.left_out.leading_marks;
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

  // The same after the sequence: 3', -3', -3.
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

  // ": GAATTC", the letters in reverse; "" where there are others than letters and marks of ends.
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
    begin_ = at_;
    if (is_enclosed()) {
      ++read_.left_out.modifications;
      at_ += 2;
      --end_;
      take_ends();
    }
  }

  // Whether this is d(AGAGTT), or r(AGAGUU): an older way to write DNA and RNA.
  bool is_enclosed() const {
    constexpr std::ptrdiff_t kShortest = 4;  // letters; r(A/T) is a code and a choice of bases
    if (end_ - at_ < 3 || !is_prefix(plain_[at_]) || plain_[at_ + 1] != '(' || plain_[end_ - 1] != ')') return false;
    const std::string_view content = inside(at_ + 2, end_ - 1);
    return content.find_first_of("()|,") == std::string_view::npos &&
           std::count_if(content.begin(), content.end(), is_letter) >= kShortest;
  }

  void choose_marks() {
    const LetterMarks marks = letter_marks(inside(at_, end_));
    marks_ = marks.are_marks;
    read_.left_out.doubtful += marks.doubtful;
    // Other faults are found by reading on.
    if (marks.fault.empty() || !read_written(marks.without).fault.empty()) return;
    fail(at_ + marks.fault_at + 1, marks.fault);
  }

  void take() {
    const char c = plain_[at_];
    const char next = at_ + 1 < end_ ? plain_[at_ + 1] : '\0';
    if (c == ' ') {
      ++read_.left_out.blanks;
      ++at_;
    } else if (marks_ && (is_prefix_of(c, next) || (at_ > begin_ && is_bond_of(plain_[at_ - 1], c)))) {
      take_mark(read_.left_out.modifications);
    } else if (is_letter(c)) {
      read_.letters += c;
      ++at_;
    } else if (c == '+' && is_letter(next)) {
      take_mark(read_.left_out.modifications);
    } else if (c == '*' && !read_.letters.empty() && next != '\0' && next != '*') {
      take_mark(read_.left_out.modifications);
    } else if (c == '^' && read_.letters.empty()) {
      anchored_ = true;
      take_mark(read_.left_out.cut_marks);
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
    if (const auto names = odd_names(inside(begin_, end_))) return fail(begin_ + names->at + 1, names->advice);
    const bool list = (c == ',' || c == ';') && (is_letter(next) || next == ' ');
    fail(at_ + 1,
         fmt::format("{} is not a nucleotide or IUPAC code{}", shown(at_),
                     list       ? " (for several sequences, give each on its own, or join with '|' those that "
                                  "count as one pattern)"
                     : c == '.' ? " (write N for a base that is not known)"
                     : c == '$' && next == '\0'
                         ? " (patterns are found anywhere in a record: choose among the hits those that end with it)"
                         : advice()));
  }

  // ": write GAANNNNTTC" in place of GAAN4TTC; "" if the text is no sequence written out either.
  std::string advice() const {
    constexpr std::size_t kLongest = 500;  // characters; reading the advice may ask for advice again
    if (plain_.size() > kLongest) return "";
    const std::string text = spelled();
    return text != plain_ && read_written(text).fault.empty() ? ": write " + text : "";
  }

  std::string spelled() const {
    return plain_.substr(0, begin_) + spelled_out(inside(begin_, end_)) + plain_.substr(end_);
  }

  // "/5Phos/": a modification as IDT writes it.
  void take_modification() {
    const std::size_t close = plain_.find('/', at_ + 1);
    if (close >= end_) return fail(at_ + 1, "'/' is not a nucleotide or IUPAC code (a modification ends in '/' too)");
    take_named(close);
  }

  // Takes a modification, whose marks are at `at_` and `close`. A text that may be a choice of bases, such as "[AT]",
  // or a number of them, such as "(20)", is no modification.
  void take_named(std::size_t close) {
    const std::string_view written = inside(at_, close + 1);
    const std::string_view name = inside(at_ + 1, close);
    if (const char code = code_of(name); code != '\0') {
      return fail(at_ + 1, fmt::format("'{}' is not a code: write {} for it{}", written, code,
                                       written.front() == '/' ? "" : ", " + spelled()));
    }
    const auto is_ascii_letter = [](char c) { return (c & ~0x20) >= 'A' && (c & ~0x20) <= 'Z'; };
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

  // Whether the modification that closes here is before all bases, or after them.
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
    if (close + 1 < end_ && is_digit(plain_[close + 1])) return fail_at(open, '\0');  // (N)4
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

  std::string_view text_;
  std::size_t first_;
  std::vector<Character> all_;
  std::string plain_;  // Character::plain of each
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  // of what is between the marks of ends
  std::size_t end_ = 0;
  std::ptrdiff_t slashes_ = 0;
  bool anchored_ = false;  // '^' came before the first letter
  bool marks_ = false;     // r, m and d before capitals are marks, as is s after them
  WrittenSequence read_;
};

// A sequence of one or two bases next to a longer one, T|TAA, is no pattern that anyone means: it was cut off by a mark
// of where an enzyme cuts. Where all are so short, as in GG|CC, it may be one. `bar`: offset of the first '|'.
void judge_alternatives(std::string_view written, std::size_t bar, WrittenSequence& read) {
  constexpr std::size_t kShort = 2;
  if (bar == std::string_view::npos) return;
  std::vector<std::string_view> sequences;
  for (std::string_view rest = read.letters;;) {
    const std::size_t end = std::min(rest.find(kAlternative), rest.size());
    sequences.push_back(rest.substr(0, end));
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  const auto by_size = [](std::string_view a, std::string_view b) { return a.size() < b.size(); };
  const auto [shortest, longest] = std::minmax_element(sequences.begin(), sequences.end(), by_size);
  if (shortest->empty() || shortest->size() > kShort) return;
  if (longest->size() <= kShort) {
    ++read.left_out.short_alternatives;
    return;
  }
  read.fault_at = bar;
  read.fault = fmt::format(
      "position {}: '|' separates the sequences of one pattern, and {} is one of them: where '|' marks a cut, write {}",
      characters_of(written.substr(0, bar)).size() + 1, *shortest,
      sequences.size() == 2 ? fmt::format("{}^{}", sequences[0], sequences[1]) : "'^'");
}

}  // namespace

bool is_plain_sequence(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_letter(text[i]) && text[i] != kAlternative) return false;
    if (i > 0 && (may_be_prefix_of(text[i - 1], text[i]) || is_bond_of(text[i - 1], text[i]))) return false;
  }
  return true;
}

WrittenSequence read_written(std::string_view written) {
  WrittenSequence all;
  if (is_plain_sequence(written)) {
    all.letters = upper_case(std::string(written));
    judge_alternatives(written, written.find(kAlternative), all);
    return all;
  }
  std::size_t position = 0;
  std::size_t first_bar = std::string_view::npos;
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
    if (!all.fault.empty()) return all;
    if (end == rest.size()) break;
    first_bar = std::min(first_bar, written.size() - rest.size() + end);
    all.letters += kAlternative;
    position += reader.characters() + 1;
    rest.remove_prefix(end + 1);
  }
  judge_alternatives(written, first_bar, all);
  return all;
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
