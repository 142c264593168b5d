// Sequences as people and their programs write them: "5'-AGA GTT TGA-3'", "/5Phos/A*G*T", "G^AATTC".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basesweep {

// How much was left out of sequences that is no base.
struct LeftOut {
  std::uint64_t blanks = 0;
  std::uint64_t ends = 0;  // 5'- and -3'
  std::uint64_t modifications =
      0;                        // /5Phos/, [FAM], and the marks * of A*G, s of AsG, + of +T, r of rA, m of mA, d of dA
  std::uint64_t cut_marks = 0;  // of restriction sites: G^AATTC, G/AATTC, GGTCTC(1/5)
  // Letters r, m and d before a capital that were kept as the codes R, M and D, where they could also mark RNA and DNA.
  std::uint64_t doubtful = 0;
  // Cut marks before the first of many bases. Others mean an anchor by it: ^AGATCGGAAGAGC.
  std::uint64_t leading_marks = 0;
  std::uint64_t short_alternatives = 0;  // patterns with '|' between sequences of one or two bases, such as GG|CC

  bool any() const { return blanks + ends + modifications + cut_marks != 0; }
  LeftOut& operator+=(const LeftOut& more);
  // "2 blanks and 3 modifications were left out"; "" if nothing was.
  std::string sentence() const;
};

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
