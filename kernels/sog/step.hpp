// The scan of `sog`, for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/sog/index.hpp"
#include "kernels/staged.hpp"

namespace basesweep::sog {

// Columns that are gone through before anyone looks at the state.
inline constexpr std::uint32_t kGroup = 16;

BASESWEEP_HD unsigned highest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return 31U - static_cast<unsigned>(__clz(static_cast<int>(bits)));
#else
  return 31U - static_cast<unsigned>(__builtin_clz(bits));
#endif
}

// Sends emit(column, entry) for every entry that starts in [begin, end), once.
//
// Bit i of the state is 0 when the last i + 1 q-grams are, place by place, such as entries begin with. V has no bits
// beyond the last place's, so what was found there just moves on: after a group the state tells of all its columns.
struct Scan : IndexView {
  static constexpr auto kTable = &IndexView::V;

  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    const std::uint32_t before = places - 1;
    std::uint32_t state = ~0U;
    for (std::uint32_t column = begin; column < end + before; column += kGroup) {
      const std::uint32_t lo = text.lo_at(column);
      const std::uint32_t hi = text.hi_at(column);
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        state = state << 1 | Fetch::get(V + qgram(lo >> i, hi >> i, gram));
      }
      // The highest bit is the first column's.
      std::uint32_t candidates = ~state >> before & ((1U << kGroup) - 1);
      while (candidates != 0) {
        const unsigned bit = highest_bit(candidates);
        candidates ^= 1U << bit;
        const std::uint32_t start = column + (kGroup - 1 - bit) - before;
        if (start >= end) break;
        for_each_start(starts, whole_text(text), start, [&](std::uint32_t entry) { emit(start, entry); });
      }
    }
  }
};

inline StagedReach reach_of(const Index& /*index*/) { return {.right = kGroup + kMostPlaces}; }

}  // namespace basesweep::sog
