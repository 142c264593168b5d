// The inner step of `planes`: which columns of a word hold a base of a set. Word: uint32_t or uint64_t in a CUDA thread, a
// vector on the CPU.
#pragma once

#include "lib/dna.hpp"
#include "lib/host_device.hpp"

namespace basesweep::planes {

// Calls use(match) with the function match(lo, hi) that tells for one set where lo and hi hold a member. Any set is a
// function of two bits; the sixteen are written out so that each costs one or two instructions.
template <class Use>
BASESWEEP_HD void with_set(BaseSet set, Use use) {
  switch (set) {  // members: A = neither bit, C = lo, T = hi, G = both
    case 1: return use([](auto lo, auto hi) { return ~(lo | hi); });
    case 2: return use([](auto lo, auto hi) { return lo & ~hi; });
    case 3: return use([](auto, auto hi) { return ~hi; });
    case 4: return use([](auto lo, auto hi) { return ~lo & hi; });
    case 5: return use([](auto lo, auto) { return ~lo; });
    case 6: return use([](auto lo, auto hi) { return lo ^ hi; });
    case 7: return use([](auto lo, auto hi) { return ~(lo & hi); });
    case 8: return use([](auto lo, auto hi) { return lo & hi; });
    case 9: return use([](auto lo, auto hi) { return ~(lo ^ hi); });
    case 10: return use([](auto lo, auto) { return lo; });
    case 11: return use([](auto lo, auto hi) { return lo | ~hi; });
    case 12: return use([](auto, auto hi) { return hi; });
    case 13: return use([](auto lo, auto hi) { return ~lo | hi; });
    case 14: return use([](auto lo, auto hi) { return lo | hi; });
    default: return use([](auto lo, auto) { return lo | ~lo; });
  }
}

// One set, one word.
template <class Word>
BASESWEEP_HD Word match_set(BaseSet set, Word lo, Word hi) {
  Word result = lo;
  with_set(set, [&](auto match) { result = static_cast<Word>(match(lo, hi)); });
  return result;
}

// One base, given as the planes' inverse: flip_lo is all ones where the base's low bit is 0, flip_hi likewise.
template <class Word>
BASESWEEP_HD Word match_base(Word lo, Word hi, Word flip_lo, Word flip_hi) {
  return (lo ^ flip_lo) & (hi ^ flip_hi);
}

}  // namespace basesweep::planes
