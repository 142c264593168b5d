// The letters of sets of bases, see dna.hpp.
#pragma once

#include "lib/base/dna.hpp"

namespace basesweep {

// The IUPAC letter of a set, with T for T and U; '-' for the empty set.
constexpr char iupac_letter(BaseSet set) { return "-ACMTWYHGRSVKDBN"[set]; }

// The complement of a letter; one that is not a nucleotide or IUPAC code is returned as it is.
constexpr char complement_letter(char letter) {
  const BaseSet set = iupac_set(letter);
  return set == 0 ? letter : iupac_letter(complement_set(set));
}

}  // namespace basesweep
