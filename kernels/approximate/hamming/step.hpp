// The step of `hamming`: counters of mismatches, one for each text position, side by side in words. Plane p holds bit p
// of all counters. The adders are the carry-save adders of Muła, Kurz, Lemire: Faster Population Counts Using AVX2
// Instructions, Comput. J. 61, 2018, after Harley and Seal. There the planes count the bits of a word; here each bit of
// a word is counted by itself.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep::hamming {

// Calls use with the number of planes as a template argument: each number that planes_for() gives has a copy of the
// loop.
template <class Use>
auto with_planes(std::uint32_t planes, Use use) {
  switch (planes) {
    case 1: return use.template operator()<1>();
    case 2: return use.template operator()<2>();
    case 3: return use.template operator()<3>();
    case 4: return use.template operator()<4>();
    case 6: return use.template operator()<6>();
    case 10: return use.template operator()<10>();
    default: return use.template operator()<32>();
  }
}

// The number of planes of counters that count to k or more.
constexpr std::uint32_t planes_for(std::uint32_t k) {
  constexpr std::uint32_t kMost[] = {1, 2, 3, 4, 6, 10};
  for (const std::uint32_t planes : kMost) {
    if (k >> planes == 0) return planes;
  }
  return 32;
}

// The value that counters begin with. They overflow with mismatch k + 1, so nothing is compared with k.
constexpr std::uint32_t first_count(std::uint32_t k) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << planes_for(k)) - 1 - k);
}

// Logic has the type Word and the full adder add(Word& sum, Word a, Word b), which adds a and b to the sum bit by bit
// and returns the carries.
template <class Logic, int Planes>
struct Counters {
  using Word = typename Logic::Word;
  Word plane[Planes];
  Word over;  // where a counter has ever overflowed

  BASESWEEP_HD void clear(std::uint32_t first_count) {
    for (int p = 0; p < Planes; ++p) plane[p] = (first_count >> p & 1) != 0 ? ~Word{} : Word{};
    over = Word{};
  }

  // Adds the mismatches of four positions of the pattern, a word each. With two planes and three-input logic that takes
  // seven instructions: three adders and the last carry.
  BASESWEEP_HD void add(Word a, Word b, Word c, Word d) {
    const Word two = Logic::add(plane[0], a, b);
    const Word other_two = Logic::add(plane[0], c, d);
    if constexpr (Planes == 1) {
      over |= two | other_two;
    } else {
      carry_into<2>(Logic::add(plane[1], two, other_two));
    }
  }

 private:
  template <int First>
  BASESWEEP_HD void carry_into(Word carry) {
    for (int p = First; p < Planes; ++p) {
      const Word sum = plane[p] ^ carry;
      carry &= plane[p];
      plane[p] = sum;
    }
    over |= carry;
  }
};

}  // namespace basesweep::hamming
