// The scan of `set_horspool`, for the CPU and CUDA threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/set_horspool/index.hpp"
#include "kernels/staged.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::set_horspool {

// Sends emit(column, entry) for every entry whose last column lies in [begin, end), once.
template <class Fetch, class Text, class Emit>
BASESWEEP_HD void scan(const IndexView& index, const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) {
  for (std::uint32_t last = begin; last < end;) {
    Leftward<Text> bases(text, last + 1);
    unsigned code = bases.next();
    const std::uint32_t shift = Fetch::get(index.shift + code);
    std::uint32_t node = 0;
    while (true) {
      const std::uint32_t cell = Fetch::get(index.cells + 4 * std::size_t{node} + code);
      if (cell == 0) break;
      node = cell & ~kEnds;
      if ((cell & kEnds) != 0) {
        const std::uint32_t stop = Fetch::get(index.ending_begin + node + 1);
        for (std::uint32_t i = Fetch::get(index.ending_begin + node); i < stop; ++i) {
          emit(bases.column(), Fetch::get(index.endings + i));
        }
      }
      if (bases.column() == 0) break;
      code = bases.next();
    }
    last += shift;
  }
}

}  // namespace basesweep::set_horspool
