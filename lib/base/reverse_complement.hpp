// The reverse complement of letters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "lib/base/iupac_letters.hpp"

namespace basesweep {

// The complement of each letter, in its case; of U it is A.
inline constexpr std::array<char, 256> kCasedComplements = [] {
  std::array<char, 256> letters{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = static_cast<char>(i);
    const bool lower = letter >= 'a' && letter <= 'z';
    letters[i] = static_cast<char>(complement_letter(letter) | (lower ? 0x20 : 0));
  }
  return letters;
}();

// Writes the reverse complement to `to`, each letter in its case, and returns the place after it.
inline char* put_reverse_complement(char* to, std::string_view letters) {
  return std::transform(letters.rbegin(), letters.rend(), to,
                        [](char letter) { return kCasedComplements[static_cast<unsigned char>(letter)]; });
}

inline std::string reverse_complement(std::string_view letters) {
  std::string turned(letters.size(), '\0');
  put_reverse_complement(turned.data(), letters);
  return turned;
}

}  // namespace basesweep
