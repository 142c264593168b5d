// Transposes matrices of 64 x 64 bits.
#pragma once

#include <cstdint>

namespace basesweep::BASESWEEP_ISA {

// In each block of 2 half x 2 half bits, swaps the two blocks of half x half bits beside the diagonal.
template <unsigned half, class Row>
void swap_blocks(Row (&row)[64]) {
  constexpr std::uint64_t kLow = ~std::uint64_t{0} / ((std::uint64_t{1} << half) + 1);
  for (unsigned block = 0; block < 64; block += 2 * half) {
    for (unsigned r = block; r < block + half; ++r) {
      const Row swapped = ((row[r] >> half) ^ row[r + half]) & kLow;
      row[r] ^= swapped << half;
      row[r + half] ^= swapped;
    }
  }
}

// Swaps bit c of row t with bit t of row c (Warren, Hacker's Delight, 2nd edition, section 7-3). Row: std::uint64_t, or
// a vector of several, for as many matrices.
template <class Row>
void transpose(Row (&row)[64]) {
  swap_blocks<32>(row);
  swap_blocks<16>(row);
  swap_blocks<8>(row);
  swap_blocks<4>(row);
  swap_blocks<2>(row);
  swap_blocks<1>(row);
}

}  // namespace basesweep::BASESWEEP_ISA
