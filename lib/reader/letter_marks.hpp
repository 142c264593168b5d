// Marks of order forms that are letters: rA (RNA), mA (2'-O-methyl RNA), dA (DNA), AsG (phosphorothioate).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basesweep {

// Whether the letter is one that marks the base after it: r, m or d.
bool is_prefix(char c);
// Whether the first letter may mark the second one. In lower-case text letters are codes, and codes have no marks.
bool is_prefix_of(char prefix, char base);
// The same, for any capital after the prefix.
bool may_be_prefix_of(char prefix, char next);
// Whether the second letter is an s after a capital.
bool is_bond_of(char base, char bond);

// The meaning of such letters in a text.
struct LetterMarks {
  bool are_marks = false;
  std::uint64_t doubtful = 0;  // prefixes that are read as codes but might be marks
  std::string fault;           // what to write in place of an s that may be a mark or a code; "": there is none
  std::size_t fault_at = 0;    // offset of that s
  std::string without;         // the text without each such s
};

// Letters are marks where every base has a prefix, neighbouring bases have an s, or a mark of another kind shows an
// order form. A prefix alone among capitals is more likely a code in lower case; an s may be either, which is a fault.
// In lower-case text they are codes. `text`: in characters as Character::plain.
LetterMarks letter_marks(std::string_view text);

}  // namespace basesweep
