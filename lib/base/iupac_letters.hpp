// The letters of sets of bases, see dna.hpp.
#pragma once

#include <array>
#include <cstddef>

#include "lib/base/dna.hpp"

namespace basesweep {

// The IUPAC letter of a set, with T for T and U; '-' for the empty set.
constexpr char iupac_letter(BaseSet set) { return "-ACMTWYHGRSVKDBN"[set]; }

// The base of each letter in SAM: upper case, T for U, N for what is not a nucleotide or IUPAC code.
inline constexpr std::array<char, 256> kSamLetters = [] {
  std::array<char, 256> letters{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const BaseSet set = iupac_set(static_cast<char>(i));
    letters[i] = set == 0 ? 'N' : iupac_letter(set);
  }
  return letters;
}();

// The complement of a letter; one that is not a nucleotide or IUPAC code is returned as it is.
constexpr char complement_letter(char letter) {
  const BaseSet set = iupac_set(letter);
  return set == 0 ? letter : iupac_letter(complement_set(set));
}

}  // namespace basesweep
