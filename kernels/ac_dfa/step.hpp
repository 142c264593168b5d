// The inner step of `ac_dfa`, for the CPU and CUDA threads: one table look-up takes the automaton over one column or
// two.
#pragma once

#include <cstdint>

#include "kernels/ac_dfa/index.hpp"
#include "lib/host_device.hpp"

namespace basesweep::ac_dfa {

// Moves bit i of a plane to bit 2 i.
BASESWEEP_HD constexpr std::uint64_t spread_bits(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

// Moves bits 2 i and 2 i + 1 of a plane to bits 4 i and 4 i + 1.
BASESWEEP_HD constexpr std::uint64_t spread_pairs(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  return (x | x << 2) & 0x3333333333333333;
}

// 32 columns as 32 codes of two bits, the first column lowest.
BASESWEEP_HD constexpr std::uint64_t codes(std::uint32_t lo, std::uint32_t hi) {
  return spread_bits(lo) | spread_bits(hi) << 1;
}

// 32 columns as 16 pair codes of four bits: the low code bits of both columns, then their high ones. One shuffle less
// than codes(), and just as good an index.
BASESWEEP_HD constexpr std::uint64_t pair_codes(std::uint32_t lo, std::uint32_t hi) {
  return spread_pairs(lo) | spread_pairs(hi) << 2;
}

BASESWEEP_HD constexpr unsigned first_of_pair(unsigned pair) { return (pair & 1) | (pair >> 1 & 2); }
BASESWEEP_HD constexpr unsigned second_of_pair(unsigned pair) { return (pair >> 1 & 1) | (pair >> 2 & 2); }

// The cell `offset` bytes into a state's row of four. Narrow tables have at most 2^18 cells: 32 bits number their
// bytes, which is quicker.
BASESWEEP_HD std::uint32_t cell_at(const std::uint16_t* table, std::uint32_t state, unsigned offset) {
  return *reinterpret_cast<const std::uint16_t*>(reinterpret_cast<const char*>(table) + (state * 8 + offset));
}
BASESWEEP_HD std::uint32_t cell_at(const std::uint32_t* table, std::uint32_t state, unsigned offset) {
  return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(table) +
                                                 (std::uint64_t{state} * 16 + offset));
}

template <class Cell>
BASESWEEP_HD std::uint32_t next_state(const Cell* table, std::uint32_t state, unsigned code) {
  return cell_at(table, state, code * sizeof(Cell));
}

// A cell of the pair table: the state two columns on, and whether an entry ends in it or in the one between.
BASESWEEP_HD std::uint32_t pair_cell(const std::uint16_t* pairs, std::uint32_t state, unsigned pair) {
  return pairs[state * 16 + pair];
}
BASESWEEP_HD constexpr bool pair_has_ending(std::uint32_t cell) { return (cell & kPairEnding) != 0; }
BASESWEEP_HD constexpr std::uint32_t pair_state(std::uint32_t cell) { return cell & (kPairEnding - 1U); }

}  // namespace basesweep::ac_dfa
