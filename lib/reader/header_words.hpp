// The names of columns that pattern tables have in the field.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace basesweep {

// The content of a column, as its name tells it.
enum class ColumnRole {
  unknown,
  name,      // "name", "primer_id"
  sequence,  // "seq", "guide_sequence", "fwd_seq"
  either,    // "primer", "guide": names in some tables, sequences in others
  edits,     // the limits of a pattern
  clamp_5prime,
  clamp_3prime,
};

// The name in lower case, with '_' for blanks and punctuation, without a part in brackets at its end:
// "Primer sequence (5'-3')" and "Primer sequence 5' to 3'" become "primer_sequence".
std::string plain_word(std::string_view name);

ColumnRole role_of(const std::string& plain_word);

// How good a column's name is for names of patterns: 0 is best. "name" is better than "primer_name", that than "id",
// that than "primer_id", that than others.
std::size_t name_rank(const std::string& plain_word);

}  // namespace basesweep
