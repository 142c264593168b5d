// The scan of `wu_manber`, for the CPU and CUDA threads (Wu and Manber 1994).
#pragma once

#include <cstdint>

#include "kernels/exact/wu_manber/index.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep::wu_manber {

// Calls emit(position, query) once for each query that starts in [begin, end).
struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    for (std::uint32_t position = begin; position < end;) {
      const std::uint32_t shift = Fetch::get(SHIFT + qgram_at(text, position + before, block));
      if (shift != 0) {
        position += shift;
        continue;
      }
      for_each_start(starts, whole_text(text), position, [&](std::uint32_t query) { emit(position, query); });
      ++position;
    }
  }
};

inline StagedReach reach_of(const Index& index) {
  const std::uint32_t past = index.shortest - index.block + 1;  // the longest shift
  const bool longer = past >= 150 && past < 240 && index.block < 12;
  return {.right = index.shortest, .past = past, .stretch = longer ? 288U : 0U};
}

}  // namespace basesweep::wu_manber
