// Letters as hits are written with. Private to the formatters.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/dna.hpp"
#include "lib/hit.hpp"

namespace basesweep {

// The IUPAC letter of a set that is not empty, T for U.
constexpr char iupac_letter(BaseSet set) { return "-ACMTWYHGRSVKDBN"[set]; }

// The letter on the other strand; what is not a nucleotide or IUPAC letter stays as it is.
constexpr char complement_letter(char letter) {
  const BaseSet set = iupac_set(letter);
  return set == 0 ? letter : iupac_letter(complement_set(set));
}

inline char* put(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

// Text as a strand reads it, from its letters on the forward strand.
inline char* put_matched(char* to, std::string_view letters, Strand strand) {
  if (strand == Strand::plus) return put(to, letters);
  return std::transform(letters.rbegin(), letters.rend(), to, complement_letter);
}

inline constexpr std::size_t kNumberDigits = 20;  // at most, of an integer of 64 bits

inline char* put(char* to, std::int64_t number) {
  char* const last = to + kNumberDigits;
  // Nearly all numbers are small, and division by 10 is quicker in 32 bits.
  const auto small = static_cast<std::uint32_t>(number);
  return small == number ? std::to_chars(to, last, small).ptr : std::to_chars(to, last, number).ptr;
}

}  // namespace basesweep
