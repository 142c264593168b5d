// The step of `ac_dfa`, for the CPU and CUDA threads: one table look-up moves the automaton over one position or two
// (Charan 2015, section 4.1, algorithms 2 and 3).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/exact/ac_dfa/index.hpp"
#include "kernels/text.hpp"
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
  BASESWEEP_HD State go_on(State state) const { return state; }
  BASESWEEP_HD std::uint32_t number(State state) const { return state; }
};

// The automaton whose states from `rows` on have a link to a row instead of their own.
template <class Cell, class Link>
struct LinkedDfa : Dfa<Cell> {
  using typename Dfa<Cell>::State;

  const Link* links;
  std::uint32_t rows;

  BASESWEEP_HD State go_on(State state) const { return state < rows ? state : links[state - rows]; }
};

// Calls use(automaton) with the automaton of `index` that takes one position a step.
template <class Use>
void with_dfa(const IndexView& index, Use use) {
  const auto go = [&](const auto& dfa) {
    using Cell = std::remove_cv_t<std::remove_pointer_t<decltype(dfa.table)>>;
    index.links == nullptr ? use(dfa) : use(LinkedDfa<Cell, std::uint32_t>{dfa, index.links, index.rows});
  };
  const std::uint32_t first_output = index.endings.first_output;
  index.narrow != nullptr ? go(Dfa<std::uint16_t>{index.narrow, first_output})
                          : go(Dfa<std::uint32_t>{index.wide, first_output});
}

// Calls emit(position, query) for every query that starts in [begin, end). For an automaton where all states have rows.
template <class Fetch, class Cell, class Text, class Emit>
BASESWEEP_HD void scan_dfa(const Dfa<Cell>& dfa, const EndingsView& endings, const Text& text, std::uint32_t begin,
                           std::uint32_t end, Emit emit) {
  const std::uint32_t stop = end + endings.max_length - 1;
  std::uint32_t state = 0;
  for (std::uint32_t position = begin; position < stop; position += 32) {
    std::uint64_t left = codes(text.lo_at(position), text.hi_at(position));
    for (std::uint32_t at = position; at < stop && at < position + 32; ++at, left >>= 2) {
      state = dfa.next(state, static_cast<std::uint32_t>(left), 0);
      if (!dfa.has_ending(state)) continue;
      const std::uint32_t* const output = endings.begin + (state - endings.first_output);
      const std::uint32_t last = Fetch::get(output + 1);
      for (std::uint32_t e = Fetch::get(output); e < last; ++e) {
        const std::uint32_t start = at + 1 - Fetch::get(&endings.endings[e].length);
        if (start >= begin && start < end) emit(start, Fetch::get(&endings.endings[e].query));
      }
    }
  }
}

// A cell of the pair table: the state two positions on, and whether a query ends there or in the state between.
BASESWEEP_HD std::uint32_t pair_cell(const std::uint16_t* pairs, std::uint32_t state, unsigned pair) {
  return pairs[state * 16 + pair];
}
BASESWEEP_HD constexpr bool pair_has_ending(std::uint32_t cell) { return (cell & kPairEnding) != 0; }
BASESWEEP_HD constexpr std::uint32_t pair_state(std::uint32_t cell) { return cell & (kPairEnding - 1U); }

}  // namespace basesweep::ac_dfa
