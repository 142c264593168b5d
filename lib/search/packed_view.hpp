// A batch as kernels take it: two bit-planes, and the positions that no hit may touch.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep {

// Positions [begin, end) of a block or batch, 0-based.
struct Interval {
  std::uint32_t begin;
  std::uint32_t end;
};

// A batch as kernels take it, by value. Owns nothing: the pointers are those of a PackedBatch, or of its copy on a GPU.
//
// Each position has a base code of two bits (lib/base/dna.hpp). The low bit of position i is bit i % 64 of lo[i / 64],
// the high bit is bit i % 64 of hi[i / 64]. N, other letters and filler have some code too, so the planes alone cannot
// tell them from bases: `blocked` lists them.
//
//     position    0 1 2 3 4 5 6 7 ...  63   64 65 ...        A = 00, C = 01, T = 10, G = 11
//     text        A C G T N . G A       C    T  A
//     lo          0 1 1 0 * * 1 0       1    0  0            *: any bit
//     hi          0 0 1 1 * * 1 0       0    1  0
//                 bits 0 ... 63 of      |    bits 0 ... of
//                 lo[0] and hi[0]       |    lo[1] and hi[1]
//     blocked             [4, 6)
//
// A batch holds segments of records, with a filler position (.) or another blocked one between two of them. The
// positions it owns have a halo on either side, where the records go on: text that a hit, or its alignment, may reach
// into.
//
//     0            own_begin                            own_end         positions
//     | left halo  | own: a hit that starts here counts | right halo    | 0 bits: padding
//     |ACGTACGTACGT|ACGTACGT.ACGTAC.TTACGATTACGATTACGAT.|TTACGATTACGATTA|
struct PackedView {
  // The planes. kPlanePadWords + (longest pattern / 64) words past the last position can be read; they are 0.
  const std::uint64_t* lo;
  const std::uint64_t* hi;
  // Positions that no exact hit may touch, sorted and disjoint. The last interval is open-ended, [positions, 2^32 - 1),
  // so that a search for the next interval always finds one. In approximate search only fillers and the open-ended
  // interval.
  const Interval* blocked;
  std::uint32_t blocked_count;  // at least 1
  std::uint32_t positions;      // in all, halos included
  std::uint32_t own_begin;      // the batch owns positions [own_begin, own_end)
  std::uint32_t own_end;
};

inline constexpr std::uint32_t kPlanePadWords = 32;

// 64 positions of a plane from `position` on.
BASESWEEP_HD std::uint64_t positions_at(const std::uint64_t* plane, std::uint32_t position) {
  const std::uint64_t* words = plane + position / 64;
  const unsigned shift = position % 64;
  return words[0] >> shift | words[1] << 1 << (63 - shift);  // in two steps, since a shift by 64 is undefined
}

}  // namespace basesweep
