// Shared by the CPU loops of `bitsliced`: functions of three planes, and the transposition of texts into planes.
#pragma once

#include <cstdint>

#include "kernels/approximate/bitsliced/step.hpp"
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

// In each block of 2 half x 2 half bits, swaps the two blocks of half x half bits beside the diagonal.
template <unsigned half>
void swap_blocks(Word (&row)[64]) {
  constexpr std::uint64_t kLow = ~std::uint64_t{0} / ((std::uint64_t{1} << half) + 1);
  for (unsigned block = 0; block < 64; block += 2 * half) {
    for (unsigned r = block; r < block + half; ++r) {
      const Word swapped = ((row[r] >> half) ^ row[r + half]) & kLow;
      row[r] ^= swapped << half;
      row[r + half] ^= swapped;
    }
  }
}

// Swaps bit c of lane n of row t with bit t of lane n of row c (Warren, Hacker's Delight, 2nd edition, section 7-3).
inline void transpose(Word (&row)[64]) {
  swap_blocks<32>(row);
  swap_blocks<16>(row);
  swap_blocks<8>(row);
  swap_blocks<4>(row);
  swap_blocks<2>(row);
  swap_blocks<1>(row);
}

}  // namespace basesweep::BASESWEEP_ISA
