// Words that differ from a given one by a few edits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/support/random.hpp"

namespace support {

// At most so many mismatches and indels, one after the other; letters that take another's place are of `alphabet`,
// those put in between are bases.
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

}  // namespace support
