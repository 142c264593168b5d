// The step of `planes`: which positions of a word hold a base of a set. Word is uint32_t or uint64_t in a CUDA thread,
// a vector on the CPU.
#pragma once

#include "lib/base/dna.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::planes {

// Calls use(match) with a function match(lo, hi) whose result has ones where lo and hi hold a base of the set. Any set
// is a function of two bits; the sixteen are written out so that each costs one or two instructions.
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

// Ones where the set holds the base of (lo, hi). The set is given by a word for each base: with words that are all ones
// or all zeros it is the same set at all positions, with other words each bit position has a set of its own.
template <class Word>
BASESWEEP_HD Word member_of(Word lo, Word hi, Word a, Word c, Word t, Word g) {
  const Word high = (lo & g) | (~lo & t);
  const Word low = (lo & c) | (~lo & a);
  return (hi & high) | (~hi & low);
}

}  // namespace basesweep::planes
