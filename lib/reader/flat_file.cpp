#include "lib/reader/flat_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/sequence_text.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kEnd = "//";
constexpr std::string_view kBlanks = " \t\r";  // as those that end a first_word() in a line

std::string_view after_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

bool is_number(std::string_view word) { return word.find_first_not_of("0123456789") == std::string_view::npos; }

class FlatFile {
 public:
  FlatFile(const FlatFormat& format, PatternList& patterns) : format_(format), patterns_(patterns) {}

  void read(std::string_view line, std::size_t number) {
    const std::string_view word = first_word(line);
    if (place_ == RecordSection::between) {
      if (!after_blanks(line).empty()) start(word, line, number);
    } else if (word == kEnd) {
      place_ = RecordSection::between;
    } else if (word == format_.record) {
      patterns_.fail(number, fmt::format("expected '//' at the end of pattern '{}' before the next '{}'",
                                         patterns_.last().name, word));
    } else if (place_ == RecordSection::sequence) {
      extend(line, number);
    } else if (word == format_.sequence) {
      place_ = RecordSection::sequence;
    }
  }

  // To be called behind the last line, which has this number.
  void finish(std::size_t number) {
    if (place_ == RecordSection::between) return;
    patterns_.fail(number,
                   fmt::format("the file ends inside pattern '{}': expected '//' at its end", patterns_.last().name));
  }

 private:
  enum class RecordSection { between, head, sequence };  // between records; before or in the sequence of one

  void start(std::string_view word, std::string_view line, std::size_t number) {
    if (word != format_.record) {
      patterns_.fail(number,
                     fmt::format("expected '{}' at the start of a record, found '{}'", format_.record, shown(line)));
    }
    const std::string_view title = after_blanks(line.substr(word.size()));
    std::string_view name = first_word(title);
    if (name.ends_with(';')) name.remove_suffix(1);
    patterns_.start(name, number, title);
    place_ = RecordSection::head;
  }

  // A line of sequence is in groups of letters. GenBank has the number of its first base in front, EMBL that of its
  // last behind.
  void extend(std::string_view line, std::size_t number) {
    bool first = true;
    for (line = after_blanks(line); !line.empty(); first = false) {
      const std::string_view word = first_word(line);
      line = after_blanks(line.substr(word.size()));
      const bool counts = (first || line.empty()) && is_number(word);
      if (!counts) patterns_.extend(word, number);
    }
  }

  const FlatFormat& format_;
  PatternList& patterns_;
  RecordSection place_ = RecordSection::between;
};

}  // namespace

void read_flat_file(std::string_view text, const FlatFormat& format, PatternList& patterns) {
  FlatFile file(format, patterns);
  std::size_t last = 0;
  for_each_line(text, [&](std::string_view line, std::size_t number) { file.read(line, last = number); });
  file.finish(last);
}

}  // namespace basesweep
