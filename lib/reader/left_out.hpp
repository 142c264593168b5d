// What was left out of sequences as people and their programs write them.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace basesweep
