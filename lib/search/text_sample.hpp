// A sample of the text that is to be searched, for choices that depend on its letters.
#pragma once

#include <cstdint>
#include <vector>

namespace basesweep {

// Stretches from all over the first block of the input, joined. Every position is A, C, G or T.
struct TextSample {
  // Each stretch has this many positions.
  static constexpr std::uint32_t kStretch = 1024;

  // Planes as in PackedView. At any of the positions a pattern of the search can be compared: padding follows.
  std::vector<std::uint64_t> lo;
  std::vector<std::uint64_t> hi;
  std::uint32_t positions = 0;  // a multiple of kStretch
};

}  // namespace basesweep
