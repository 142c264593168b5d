// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/qgrams/scan.hpp"

#include "kernels/qgrams/step.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// Bit i: the window i steps on is set. lo[0], hi[0]: 64 columns from the first window on, then the next.
template <std::uint32_t kQ, std::uint32_t kStep>
[[gnu::always_inline]] inline std::uint64_t set_windows(const std::uint32_t* windows, const std::uint64_t (&lo)[2],
                                                        const std::uint64_t (&hi)[2]) {
  std::uint64_t set = 0;
#pragma GCC unroll 64
  for (std::uint32_t i = 0; i * kStep < 64; ++i) {
    const std::uint32_t shift = i * kStep;
    std::uint64_t lo_at = lo[0] >> shift;
    std::uint64_t hi_at = hi[0] >> shift;
    if (shift + kQ > 64) {
      lo_at |= lo[1] << (64 - shift);
      hi_at |= hi[1] << (64 - shift);
    }
    set |= std::uint64_t{qgrams::window_bit(windows, static_cast<std::uint32_t>(lo_at),
                                            static_cast<std::uint32_t>(hi_at), kQ)}
           << i;
  }
  return set;
}

template <std::uint32_t kQ, std::uint32_t kStep>
void scan(const qgrams::IndexView& index, const PackedView& text, HitSink& sink) {
  const PlanesText planes{text.lo, text.hi};
  const std::uint32_t lead = index.shape.lead;
  for (std::uint32_t word = text.own_begin / 64; word * 64 < text.own_end; ++word) {
    const std::uint32_t column = word * 64;
    const std::uint64_t lo[2] = {columns_at(text.lo, column + lead), columns_at(text.lo, column + lead + 64)};
    const std::uint64_t hi[2] = {columns_at(text.hi, column + lead), columns_at(text.hi, column + lead + 64)};
    for (std::uint64_t left = set_windows<kQ, kStep>(index.windows, lo, hi); left != 0; left &= left - 1) {
      const std::uint32_t first = column + static_cast<std::uint32_t>(__builtin_ctzll(left)) * kStep;
      std::uint32_t starts = qgrams::possible_starts<kQ, kStep>(index.windows, lead, planes, first);
      for (; starts != 0; starts &= starts - 1) {
        const std::uint32_t start = first + static_cast<std::uint32_t>(__builtin_ctz(starts));
        if (start >= column + 64) break;  // the next word's
        for_each_start(index.starts, planes, start, [&](std::uint32_t entry) { sink.hit(start, entry); });
      }
    }
  }
}

template <std::uint32_t kQ>
void scan_steps(const qgrams::IndexView& index, const PackedView& text, HitSink& sink) {
  switch (index.shape.step) {
    case 2: return scan<kQ, 2>(index, text, sink);
    case 3: return scan<kQ, 3>(index, text, sink);
    case 4: return scan<kQ, 4>(index, text, sink);
    case 6: return scan<kQ, 6>(index, text, sink);
    case 8: return scan<kQ, 8>(index, text, sink);
    default: return scan<kQ, 16>(index, text, sink);
  }
}

}  // namespace

void qgrams_scan(const qgrams::IndexView& index, const PackedView& text, std::uint64_t* /*scratch*/, HitSink& sink) {
  switch (index.shape.q) {
    case 8: return scan_steps<8>(index, text, sink);
    case 9: return scan_steps<9>(index, text, sink);
    default: return scan_steps<10>(index, text, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
