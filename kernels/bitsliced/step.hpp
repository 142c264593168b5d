// The inner step of `bitsliced`: one row of the dynamic programming matrix for as many texts as a word has bits. Myers'
// cell (J. ACM 46, 1999, section 3) as formulas over planes (Hyyro, Nordic J. Computing 10, 2003). Word: uint32_t in a
// CUDA thread, a vector on the CPU. Written with what differs instead of what is equal, as this takes fewest operations
// where there are only those of two operands: 8, and 5 of three.
//
//   Ne       the row's set does not hold the column's base: not Eq
//   Pv, Mv   vertical difference of the row, to the row above: +1, -1
//   Ph, Mh   horizontal difference, to the column before: +1, -1. Above row 0 it is 0: a match may start anywhere
//   E        the diagonal difference is 1: Ne, and neither difference that comes in is -1. Not D0
#pragma once

#include <cstdint>

#include "lib/dna.hpp"
#include "lib/host_device.hpp"

namespace basesweep::bitsliced {

inline constexpr int kMostRows = 32;

// Stands for the set of a row in front of an entry that is shorter than the filter: any base, and also what is before
// the text.
inline constexpr BaseSet kPadding = 16 | kAnyBase;

// Functions of three planes. nvcc makes one instruction of any; GCC 12 has to be told (scan.cpp).
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

// Takes the row's vertical difference, and the horizontal one above it, through a column; Ph and Mh become those below.
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

// Adds the horizontal difference of the last row to counters of `bits` bits, one for each text, bit b of all in x[b].
// They hold the score of that row, less edits + 1, modulo 2^bits. A difference travels up from bit to bit as long as it
// carries: +1 over ones, -1 over zeros.
template <class Logic, int bits, class Word>
BASESWEEP_HD void count(Word (&x)[bits], Word ph, Word mh) {
  Word moves = ph | mh;
  for (int b = 0; b < bits; ++b) {
    const Word carries = Logic::a_where_b_differs_c(moves, x[b], mh);
    x[b] ^= moves;
    moves = carries;
  }
}

// What a new counter holds.
BASESWEEP_HD constexpr bool first_count_bit(int rows, int edits, int b) { return ((rows - edits - 1) >> b & 1) != 0; }

// How a counter tells that the score is at most `edits`: by its highest bit, or by its two highest.
enum class Test { none, one_bit, two_bits };

constexpr Test survival_test(int rows, int edits, int bits) {
  const int most = rows - edits - 1;
  if (edits + 1 <= 1 << (bits - 1) && most < 1 << (bits - 1)) return Test::one_bit;
  if (edits + 1 <= 1 << (bits - 2) && most < 3 << (bits - 2)) return Test::two_bits;
  return Test::none;  // too few bits
}

// `one_bit`: all ones for the test of that name, else none.
template <int bits, class Word>
BASESWEEP_HD Word survivors(const Word (&x)[bits], Word one_bit) {
  return x[bits - 1] & (x[bits - 2] | one_bit);
}

}  // namespace basesweep::bitsliced
