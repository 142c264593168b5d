// The scan of `sbom`, for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/sbom/index.hpp"
#include "kernels/staged.hpp"

namespace basesweep::sbom {

// Sends emit(column, entry) for every entry that starts in [begin, end), once.
struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    for (std::uint32_t column = begin; column < end;) {
      Leftward<Text> bases(text, column + shortest);
      std::uint32_t state = 0;
      do {
        state = Fetch::get(next + 4 * std::size_t{state} + bases.next());
      } while (state != 0 && bases.column() != column);
      if (state == 0) {  // no window that has this column as well as those read before holds an entry
        column = bases.column() + 1;
      } else {
        for_each_start(starts, whole_text(text), column, [&](std::uint32_t entry) { emit(column, entry); });
        ++column;
      }
    }
  }
};

inline StagedReach reach_of(const Index& index) { return {.right = index.starts.shortest}; }

}  // namespace basesweep::sbom
