// Base codes, complements and sets of bases. Kernels use them too.
//
// The code of a base is (c >> 1) & 3 of its ASCII letter in either case: A 0, C 1, T and U 2, G 3. Flipping the high
// bit gives the complement. A packed batch keeps the low bits of its codes in the plane `lo`, the high bits in `hi`.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep {

// A set of bases: bit i stands for the base with code i, so A is 1, C 2, T 4, G 8.
using BaseSet = std::uint8_t;

inline constexpr BaseSet kAnyBase = 15;

// For A, C, G, T and U only; other letters get the code of some base.
BASESWEEP_HD constexpr unsigned base_code(char c) { return (static_cast<unsigned char>(c) >> 1) & 3U; }

BASESWEEP_HD constexpr unsigned complement(unsigned code) { return code ^ 2U; }

BASESWEEP_HD constexpr char base_letter(unsigned code) {
  return code == 0 ? 'A' : code == 1 ? 'C' : code == 2 ? 'T' : 'G';
}

// The complements of all members. A and T, and C and G, are two bits apart.
BASESWEEP_HD constexpr BaseSet complement_set(BaseSet set) {
  return static_cast<BaseSet>(((set << 2) | (set >> 2)) & 15);
}

BASESWEEP_HD constexpr bool is_single_base(BaseSet set) { return set != 0 && (set & (set - 1)) == 0; }

// The code of the only base of a set with one member.
BASESWEEP_HD constexpr unsigned single_base(BaseSet set) { return set == 1 ? 0U : set == 2 ? 1U : set == 4 ? 2U : 3U; }

// The bases that an IUPAC letter in either case stands for, U like T; 0 for any other character.
constexpr BaseSet iupac_set(char letter) {
  constexpr BaseSet A = 1, C = 2, T = 4, G = 8;
  switch (letter & ~0x20) {
    case 'A': return A;
    case 'C': return C;
    case 'G': return G;
    case 'T':
    case 'U': return T;
    case 'R': return A | G;
    case 'Y': return C | T;
    case 'S': return C | G;
    case 'W': return A | T;
    case 'K': return G | T;
    case 'M': return A | C;
    case 'B': return C | G | T;
    case 'D': return A | G | T;
    case 'H': return A | C | T;
    case 'V': return A | C | G;
    case 'N': return kAnyBase;
    default: return 0;
  }
}

// The bases that a letter of a pattern matches: those of iupac_set(), and all for I (inosine).
constexpr BaseSet pattern_letter_set(char letter) { return (letter & ~0x20) == 'I' ? kAnyBase : iupac_set(letter); }

}  // namespace basesweep
