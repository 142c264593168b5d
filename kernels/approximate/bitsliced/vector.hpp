// Shared by the CPU loops of `bitsliced`: functions of three planes.
#pragma once

#include <cstdint>

#include "kernels/approximate/bitsliced/step.hpp"
#include "kernels/cpu/transpose.hpp"
#include "kernels/cpu/word.hpp"

namespace basesweep::BASESWEEP_ISA {

#if defined(__AVX512F__)
struct Logic {
  template <int table>
  static Word ternary(Word a, Word b, Word c) {
    return reinterpret_cast<Word>(_mm512_ternarylogic_epi64(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b),
                                                            reinterpret_cast<__m512i>(c), table));
  }
  static Word a_not_b_not_c(Word a, Word b, Word c) { return ternary<0xF0 & ~0xCC & ~0xAA>(a, b, c); }
  static Word a_or_b_not_c(Word a, Word b, Word c) { return ternary<0xF0 | (0xCC & ~0xAA)>(a, b, c); }
  static Word a_where_b_differs_c(Word a, Word b, Word c) { return ternary<0xF0 & (0xCC ^ 0xAA)>(a, b, c); }
  static Word a_or_b_differs_c(Word a, Word b, Word c) { return ternary<0xF0 | (0xCC ^ 0xAA)>(a, b, c); }
};
#else
struct Logic : bitsliced::PlainLogic {
  static Word a_or_b_differs_c(Word a, Word b, Word c) { return a | (b ^ c); }
};
#endif

}  // namespace basesweep::BASESWEEP_ISA
