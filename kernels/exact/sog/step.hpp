// The scan of `sog`, for the CPU and CUDA threads: Shift-Or over q-grams (Salmela, Tarhio, Kytöjoki 2006).
#pragma once

#include <cstdint>

#include "kernels/exact/sog/index.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep::sog {

// The state is checked once after this many positions.
inline constexpr std::uint32_t kGroup = 16;

BASESWEEP_HD unsigned highest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return 31U - static_cast<unsigned>(__clz(static_cast<int>(bits)));
#else
  return 31U - static_cast<unsigned>(__builtin_clz(bits));
#endif
}

// Calls emit(position, query) once for each query that starts in [begin, end).
//
// Bit i of the state is 0 if the last i + 1 q-grams of the text agree, place by place, with the first i + 1 q-grams of
// the superimposed queries. V has no bits above the last place's, so a 0 found there just moves up: after a group, the
// state has the results of all its positions.
struct Scan : IndexView {
  static constexpr auto kTable = &IndexView::V;

  template <class Fetch, class Text, class Emit>
  BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    const std::uint32_t before = places - 1;
    std::uint32_t state = ~0U;
    for (std::uint32_t position = begin; position < end + before; position += kGroup) {
      const std::uint32_t lo = text.lo_at(position);
      const std::uint32_t hi = text.hi_at(position);
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        state = state << 1 | Fetch::get(V + qgram(lo >> i, hi >> i, gram));
      }
      // The highest bit belongs to the first position.
      std::uint32_t candidates = ~state >> before & ((1U << kGroup) - 1);
      while (candidates != 0) {
        const unsigned bit = highest_bit(candidates);
        candidates ^= 1U << bit;
        const std::uint32_t start = position + (kGroup - 1 - bit) - before;
        if (start >= end) break;
        for_each_start(starts, whole_text(text), start, [&](std::uint32_t query) { emit(start, query); });
      }
    }
  }
};

inline StagedReach reach_of(const Index& /*index*/) { return {.right = kGroup + kMaxPlaces}; }

}  // namespace basesweep::sog
