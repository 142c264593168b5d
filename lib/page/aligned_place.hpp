// A place of a guide, letter by letter below the guide.
#pragma once

#include <string>

#include "lib/page/pieces.hpp"

namespace basesweep {

// Two lines of the same length. Letters of the text that differ from the guide are lower case; "-" is a gap, and "."
// stands above the PAM.
struct AlignedPlace {
  std::string guide;
  std::string text;
};

// The lines `aligned_guide` and `aligned_text` of the place; else made of the guide's sequence and the place's `text`,
// which holds the PAM, with the bulge where the fewest letters differ.
AlignedPlace aligned_place(const RunView& run, const Value& guide, const Value& place);

}  // namespace basesweep
