// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/exact/qgrams/scan.hpp"

#include "kernels/exact/qgrams/step.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// Bit i is set if the bit of the q-gram i steps on is. lo[0] and hi[0] have 64 positions from the first q-gram on,
// lo[1] and hi[1] the next 64.
template <std::uint32_t kQ, std::uint32_t kStep>
[[gnu::always_inline]] inline std::uint64_t set_grams(const std::uint32_t* grams, const std::uint64_t (&lo)[2],
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
    set |=
        std::uint64_t{qgrams::gram_bit(grams, static_cast<std::uint32_t>(lo_at), static_cast<std::uint32_t>(hi_at), kQ)}
        << i;
  }
  return set;
}

template <std::uint32_t kQ, std::uint32_t kStep>
void scan(const qgrams::IndexView& index, const PackedView& text, OccurrenceSink& sink) {
  const PlanesText planes{text.lo, text.hi};
  const std::uint32_t lead = index.shape.lead;
  for (std::uint32_t word = text.own_begin / 64; word * 64 < text.own_end; ++word) {
    const std::uint32_t position = word * 64;
    const std::uint64_t lo[2] = {positions_at(text.lo, position + lead), positions_at(text.lo, position + lead + 64)};
    const std::uint64_t hi[2] = {positions_at(text.hi, position + lead), positions_at(text.hi, position + lead + 64)};
    for (std::uint64_t left = set_grams<kQ, kStep>(index.grams, lo, hi); left != 0; left &= left - 1) {
      const std::uint32_t first = position + static_cast<std::uint32_t>(__builtin_ctzll(left)) * kStep;
      std::uint32_t starts = qgrams::possible_starts<kQ, kStep>(index.grams, lead, planes, first);
      for (; starts != 0; starts &= starts - 1) {
        const std::uint32_t start = first + static_cast<std::uint32_t>(__builtin_ctz(starts));
        if (start >= position + 64) break;  // belongs to the next word
        for_each_start(index.starts, planes, start, [&](std::uint32_t query) { sink.send(start, query); });
      }
    }
  }
}

template <std::uint32_t kQ>
void scan_steps(const qgrams::IndexView& index, const PackedView& text, OccurrenceSink& sink) {
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

void qgrams_scan(const qgrams::IndexView& index, const PackedView& text, std::uint64_t* /*scratch*/,
                 OccurrenceSink& sink) {
  switch (index.shape.q) {
    case 8: return scan_steps<8>(index, text, sink);
    case 9: return scan_steps<9>(index, text, sink);
    default: return scan_steps<10>(index, text, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
