// The scan of `set_horspool`, for the CPU and CUDA threads (Kouzinopoulos, Michailidis, Margaritis 2015, section
// 2.1.2).
#pragma once

#include <cstdint>

#include "kernels/papers/set_horspool/index.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep::set_horspool {

// Calls emit(position, query) once for each query whose last position lies in [begin, end); `position` is its first.
struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    for (std::uint32_t last = begin; last < end;) {
      Leftward<Text> bases(text, last + 1);
      unsigned code = bases.next();
      const std::uint32_t distance = Fetch::get(shift + code);
      std::uint32_t node = 0;
      while (true) {
        const std::uint32_t cell = Fetch::get(cells + 4 * std::size_t{node} + code);
        if (cell == 0) break;
        node = cell & ~kEnds;
        if ((cell & kEnds) != 0) {
          const std::uint32_t stop = Fetch::get(ending_begin + node + 1);
          for (std::uint32_t i = Fetch::get(ending_begin + node); i < stop; ++i) {
            emit(bases.position(), Fetch::get(endings + i));
          }
        }
        if (bases.position() == 0) break;
        code = bases.next();
      }
      last += distance;
    }
  }
};

inline StagedReach reach_of(const Index& index) {
  return {.left = index.longest + 32, .begin_after = index.shortest - 1, .end_after = index.longest - 1};
}

}  // namespace basesweep::set_horspool
