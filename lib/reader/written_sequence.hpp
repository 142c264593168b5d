// Sequences as people and their programs write them: "5'-AGA GTT TGA-3'", "/5Phos/A*G*T", "G^AATTC".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/reader/left_out.hpp"

namespace basesweep {

// A sequence that was read.
struct WrittenSequence {
  std::string letters;  // upper case; useless if there is a fault
  LeftOut left_out;
  std::string fault;         // "position 3: 'X' is not a nucleotide or IUPAC code"; "" if there is none
  std::size_t fault_at = 0;  // offset of its byte in the text
};

// Reads a sequence, or several with '|' between. Takes off blanks (of Unicode too), the marks of the ends,
// modifications and cut marks. A modification that stands for a base becomes that base where it is known (/ideoxyU/ is
// U). One between bases that may stand for a base is a fault, as are a sequence from 3' to 5' and '|' after one or two
// bases, next to a longer sequence. Positions count the characters of `written` from 1.
WrittenSequence read_written(std::string_view written);

// Whether nothing but letters of patterns, and '|' between sequences, is in the text, so that read_written() would
// return it as it is, in upper case.
bool is_plain_sequence(std::string_view text);

// Whether a line without columns is one sequence although it has blanks in it: "AGA GTT TGA TC", in blocks of one size,
// or "5' AGAGTTTGATC 3'".
bool is_sequence_with_blanks(std::string_view line);

}  // namespace basesweep
