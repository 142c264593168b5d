// Collects the patterns of a file and checks each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/name_index.hpp"
#include "lib/reader/written_sequence.hpp"
#include "lib/search/pattern.hpp"

namespace basesweep {

// Returns the fault in a pattern's letters: "position 3: 'X' is not a nucleotide or IUPAC code"; "" if there is none.
std::string letters_fault(std::string_view letters);

// The line for a message: at most 60 bytes of it, with blanks for tabs and control characters.
std::string shown(std::string_view line);

// The treatment of a name that is used twice.
enum class RepeatedNames { refused, kept };

// How a pattern gets its name.
enum class NamedBy {
  first_word,   // the first word of a title
  column,       // a column of a table that has others, which may be better names
  only_column,  // the only column of a table except that of the sequences
};

// Errors are DataErrors, which name the file, the pattern and its place. Places count from 1.
class PatternList {
 public:
  // `unit`: what places count, "line" or "record".
  PatternList(std::string path, std::string_view unit, NamedBy named_by,
              RepeatedNames repeated = RepeatedNames::refused);

  void set_named_by(NamedBy named_by) { named_by_ = named_by; }

  // Begins a pattern. `line`: the line that names it, for messages.
  void start(std::string_view name, std::size_t place, std::string_view line);
  // Adds text to the sequence of the pattern that was begun last, see read_written().
  void extend(std::string_view written, std::size_t place);
  // Reads the sequence of the last pattern and checks it. start() and finish() do so too.
  void close();
  // The pattern that was begun last.
  Pattern& last() { return patterns_.back(); }
  // All patterns. Throws if there are none.
  std::vector<Pattern> finish();
  // The blanks, marks and so on that were left out of the sequences.
  const LeftOut& left_out() const { return left_out_; }

  [[noreturn]] void fail(std::size_t place, const std::string& what) const;

 private:
  // Where a pattern was named. Its line, as messages show it, is a part of lines_.
  struct Origin {
    std::size_t place;
    std::size_t line_begin;
    std::size_t line_end;
  };

  void note_name(std::string_view name, std::size_t place, std::string_view line);
  [[noreturn]] void fail_twice(std::string_view name, const Origin& first, const Origin& second) const;

  std::string path_;
  std::string_view unit_;
  NamedBy named_by_;
  RepeatedNames repeated_;
  std::vector<Pattern> patterns_;
  NameIndex names_;
  std::vector<Origin> origins_;  // of each pattern, unless names may be repeated
  std::string lines_;
  std::size_t place_ = 0;  // of the last pattern
  bool open_ = false;      // its sequence was not read yet
  std::string written_;    // that sequence
  struct AddedText {
    std::size_t begin;  // in `written_`
    std::size_t place;
  };
  std::vector<AddedText> pieces_;  // of it, one for each extend()
  LeftOut left_out_;
};

}  // namespace basesweep
