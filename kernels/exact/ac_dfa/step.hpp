// The step of `ac_dfa`, for the CPU and CUDA threads: one table look-up moves the automaton over one position or two
// (Charan 2015, section 4.1, algorithms 2 and 3).
#pragma once

#include <cstdint>

#include "kernels/exact/ac_dfa/index.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::ac_dfa {

// The cell `offset` bytes into a state's row of four. Narrow tables have at most 2^18 cells, so 32 bits number their
// bytes, which is faster.
BASESWEEP_HD std::uint32_t cell_at(const std::uint16_t* table, std::uint32_t state, unsigned offset) {
  return *reinterpret_cast<const std::uint16_t*>(reinterpret_cast<const char*>(table) + (state * 8 + offset));
}
BASESWEEP_HD std::uint32_t cell_at(const std::uint32_t* table, std::uint32_t state, unsigned offset) {
  return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(table) +
                                                 (std::uint64_t{state} * 16 + offset));
}

// The automaton as kernels/cpu/tile_walk.hpp and kernels/cuda/walk.cuh take it.
template <class Cell>
struct Dfa {
  using State = std::uint32_t;

  const Cell* table;  // next state at [4 state + code]
  std::uint32_t first_output;

  BASESWEEP_HD State at(std::uint32_t number) const { return number; }
  // The state after position `i` of `codes`, which has two bits for each position.
  BASESWEEP_HD State next(State state, std::uint32_t codes, int i) const {
    // The code times the size of a cell, in one shift and one mask that do not wait for the look-up before.
    constexpr int kScale = sizeof(Cell) == 2 ? 1 : 2;
    const int shift = 2 * i - kScale;
    const unsigned offset = (shift < 0 ? codes << -shift : codes >> shift) & (3U << kScale);
    return cell_at(table, state, offset);
  }
  BASESWEEP_HD bool has_ending(State state) const { return state >= first_output; }
  BASESWEEP_HD std::uint32_t number(State state) const { return state; }
};

// A cell of the pair table: the state two positions on, and whether a query ends there or in the state between.
BASESWEEP_HD std::uint32_t pair_cell(const std::uint16_t* pairs, std::uint32_t state, unsigned pair) {
  return pairs[state * 16 + pair];
}
BASESWEEP_HD constexpr bool pair_has_ending(std::uint32_t cell) { return (cell & kPairEnding) != 0; }
BASESWEEP_HD constexpr std::uint32_t pair_state(std::uint32_t cell) { return cell & (kPairEnding - 1U); }

}  // namespace basesweep::ac_dfa
