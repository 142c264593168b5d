// The step of `bitsliced`: one cell of the dynamic-programming matrix for as many texts as a word has bits. It is
// Myers' cell (J. ACM 46, 1999, section 3) as formulas over planes (Hyyro, Nordic J. Computing 10, 2003). Word is
// uint32_t in a CUDA thread, a vector on the CPU. The formulas use what differs instead of what is equal, because that
// takes the fewest operations: 8 of two operands, or 5 of three.
//
//   Ne       the row's set does not hold the position's base: not Eq
//   Pv, Mv   vertical difference of the row, to the row above: +1, -1
//   Ph, Mh   horizontal difference, to the position before: +1, -1. Above row 0 it is 0: a match may start anywhere
//   E        the diagonal difference is 1: Ne, and neither difference that comes in is -1. Not D0
#pragma once

#include <cstdint>

#include "lib/base/dna.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::bitsliced {

inline constexpr int kMaxRows = 32;

// The set of a row in front of a query that is shorter than the filter: any base, and also what lies before the text.
inline constexpr BaseSet kPadding = 16 | kAnyBase;

// Functions of three planes. nvcc makes one instruction of each; GCC 12 needs intrinsics (vector.hpp).
struct PlainLogic {
  template <class Word>
  static BASESWEEP_HD Word a_not_b_not_c(Word a, Word b, Word c) {
    return a & ~b & ~c;
  }
  template <class Word>
  static BASESWEEP_HD Word a_or_b_not_c(Word a, Word b, Word c) {
    return a | (b & ~c);
  }
  template <class Word>
  static BASESWEEP_HD Word a_where_b_differs_c(Word a, Word b, Word c) {
    return a & (b ^ c);
  }
};

// Moves a row on by a column. pv and mv are the row's vertical difference. ph and mh are the horizontal difference
// above the row, and become the one below it.
template <class Logic, class Word>
BASESWEEP_HD void cell(Word ne, Word& pv, Word& mv, Word& ph, Word& mh) {
  const Word e = Logic::a_not_b_not_c(ne, mv, mh);
  const Word ph_below = Logic::a_or_b_not_c(mv, e, pv);
  const Word mh_below = pv & ~e;
  pv = Logic::a_or_b_not_c(mh, e, ph);
  mv = ph & ~e;
  ph = ph_below;
  mh = mh_below;
}

// Adds the horizontal difference of the last row to counters of `bits` bits, one for each text; x[b] has bit b of all.
// A counter holds the score of that row, less edits + 1, modulo 2^bits. A difference moves up from bit to bit as long
// as it carries: +1 over ones, -1 over zeros.
template <class Logic, int bits, class Word>
BASESWEEP_HD void count(Word (&x)[bits], Word ph, Word mh) {
  Word moves = ph | mh;
  for (int b = 0; b < bits; ++b) {
    const Word carries = Logic::a_where_b_differs_c(moves, x[b], mh);
    x[b] ^= moves;
    moves = carries;
  }
}

// Bit b of a new counter.
BASESWEEP_HD constexpr bool first_count_bit(int rows, int edits, int b) { return ((rows - edits - 1) >> b & 1) != 0; }

// The bits of a counter that say whether the score is at most `edits`: the highest, or the two highest.
enum class Test { none, one_bit, two_bits };

constexpr Test survival_test(int rows, int edits, int bits) {
  const int most = rows - edits - 1;
  if (edits + 1 <= 1 << (bits - 1) && most < 1 << (bits - 1)) return Test::one_bit;
  if (edits + 1 <= 1 << (bits - 2) && most < 3 << (bits - 2)) return Test::two_bits;
  return Test::none;  // too few bits
}

// The texts whose score is at most `edits`. `one_bit`: all ones for Test::one_bit, else zero.
template <int bits, class Word>
BASESWEEP_HD Word survivors(const Word (&x)[bits], Word one_bit) {
  return x[bits - 1] & (x[bits - 2] | one_bit);
}

}  // namespace basesweep::bitsliced
