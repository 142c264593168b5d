// The scan of `wu_manber`, for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/staged.hpp"
#include "kernels/wu_manber/index.hpp"

namespace basesweep::wu_manber {

// Sends emit(column, entry) for every entry that starts in [begin, end), once.
struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    for (std::uint32_t column = begin; column < end;) {
      const std::uint32_t shift = Fetch::get(SHIFT + qgram_at(text, column + before, block));
      if (shift != 0) {
        column += shift;
        continue;
      }
      for_each_start(starts, whole_text(text), column, [&](std::uint32_t entry) { emit(column, entry); });
      ++column;
    }
  }
};

inline StagedReach reach_of(const Index& index) { return {.right = index.shortest}; }

}  // namespace basesweep::wu_manber
