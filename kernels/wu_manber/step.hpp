// The scan of `wu_manber`, for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/staged.hpp"
#include "kernels/wu_manber/index.hpp"

namespace basesweep::wu_manber {

// Sends emit(column, entry) for every entry that starts in [begin, end), once.
template <class Fetch, class Text, class Emit>
BASESWEEP_HD void scan(const IndexView& index, const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) {
  for (std::uint32_t column = begin; column < end;) {
    const std::uint32_t shift = Fetch::get(index.SHIFT + qgram_at(text, column + index.before, index.block));
    if (shift != 0) {
      column += shift;
      continue;
    }
    for_each_start(index.starts, whole_text(text), column, [&](std::uint32_t entry) { emit(column, entry); });
    ++column;
  }
}

}  // namespace basesweep::wu_manber
