// Base codes, complement and IUPAC sets; usable in kernels.
//
// A base code is (c >> 1) & 3 of its ASCII letter in either case: A 0, C 1, T (and U) 2, G 3. Complement flips the high
// bit. The low bit of a code goes to the plane `lo`, the high bit to the plane `hi`.
#pragma once

#include <cstdint>

#include "lib/host_device.hpp"

namespace basesweep {

// Bit i stands for the base of code i: A 1, C 2, T 4, G 8.
using BaseSet = std::uint8_t;

inline constexpr BaseSet kAnyBase = 15;

BASESWEEP_HD constexpr unsigned base_code(char c) { return (static_cast<unsigned char>(c) >> 1) & 3U; }

BASESWEEP_HD constexpr unsigned complement(unsigned code) { return code ^ 2U; }

BASESWEEP_HD constexpr char base_letter(unsigned code) {
  return code == 0 ? 'A' : code == 1 ? 'C' : code == 2 ? 'T' : 'G';
}

// The set of the complements of the members: A <-> T and C <-> G exchange bits two places apart.
BASESWEEP_HD constexpr BaseSet complement_set(BaseSet set) {
  return static_cast<BaseSet>(((set << 2) | (set >> 2)) & 15);
}

BASESWEEP_HD constexpr bool is_single_base(BaseSet set) { return set != 0 && (set & (set - 1)) == 0; }

// The code of the only member of a set of one base.
BASESWEEP_HD constexpr unsigned single_base(BaseSet set) { return set == 1 ? 0U : set == 2 ? 1U : set == 4 ? 2U : 3U; }

// The set an IUPAC letter (either case) stands for; 0 for any other character. U reads as T.
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

}  // namespace basesweep
