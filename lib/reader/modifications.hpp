// Modifications of synthetic DNA, as order forms name them between slashes: /5Phos/, /iBiodT/.
#pragma once

#include <string_view>

namespace basesweep {

struct Modification {
  enum class Kind {
    no_base,  // it hangs on the sequence: a dye, a phosphate, a spacer
    base,     // it is a base with something on it
    unknown,  // at an end it can hardly be a base; between bases it may be one
  };
  Kind kind = Kind::unknown;
  char base = '\0';   // letter of the base: A, C, G, T, U or N
  char place = '\0';  // '5' or '3': for this end; 'i': between bases; 0: the name does not say
};

// Returns the meaning of a name without its slashes: "5Phos", "56-FAM", "ideoxyU", "ZEN". A name such as "iBiodT" or
// "iMe-dC" means the base in its last letter.
Modification modification_of(std::string_view name);

}  // namespace basesweep
