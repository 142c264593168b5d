// Random edits, to plant patterns and reads that an approximate search must find.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lib/oracle/trial/random.hpp"

namespace trial {

// The word after `edits` random edits: each replaces a letter by one of `alphabet`, which may be the same letter,
// removes one, or inserts a base. So at most `edits` edits turn the result back into the word.
inline std::string mutate(Random& random, std::string word, std::size_t edits, std::string_view alphabet = "ACGT") {
  for (; edits != 0 && !word.empty(); --edits) {
    const std::size_t at = random.below(word.size());
    switch (random.below(3)) {
      case 0: word[at] = alphabet[random.below(alphabet.size())]; break;
      case 1: word.erase(at, 1); break;
      default: word.insert(at, 1, "ACGT"[random.below(4)]); break;
    }
  }
  return word;
}

}  // namespace trial
