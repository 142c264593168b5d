// The scan of `sbom`, for the CPU and CUDA threads (Kouzinopoulos, Michailidis, Margaritis 2015, section 2.1.3).
#pragma once

#include <cstdint>

#include "kernels/papers/sbom/index.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep::sbom {

// Calls emit(position, query) once for each query that starts in [begin, end).
struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    for (std::uint32_t position = begin; position < end;) {
      Leftward<Text> bases(text, position + shortest);
      std::uint32_t state = 0;
      do {
        state = Fetch::get(next + 4 * std::size_t{state} + bases.next());
      } while (state != 0 && bases.position() != position);
      if (state == 0) {  // no query has the bases from here to the end of the window as a substring
        position = bases.position() + 1;
      } else {
        for_each_start(starts, whole_text(text), position, [&](std::uint32_t query) { emit(position, query); });
        ++position;
      }
    }
  }
};

inline StagedReach reach_of(const Index& index) {
  return {.right = index.starts.shortest, .past = index.starts.shortest};
}

}  // namespace basesweep::sbom
