// The scan of `sbom`, for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/sbom/index.hpp"
#include "kernels/staged.hpp"

namespace basesweep::sbom {

// Sends emit(column, entry) for every entry that starts in [begin, end), once.
template <class Fetch, class Text, class Emit>
BASESWEEP_HD void scan(const IndexView& index, const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) {
  for (std::uint32_t column = begin; column < end;) {
    Leftward<Text> bases(text, column + index.shortest);
    std::uint32_t state = 0;
    do {
      state = Fetch::get(index.next + 4 * std::size_t{state} + bases.next());
    } while (state != 0 && bases.column() != column);
    if (state == 0) {  // no window that has this column as well as those read before holds an entry
      column = bases.column() + 1;
    } else {
      for_each_start(index.starts, whole_text(text), column, [&](std::uint32_t entry) { emit(column, entry); });
      ++column;
    }
  }
}

}  // namespace basesweep::sbom
