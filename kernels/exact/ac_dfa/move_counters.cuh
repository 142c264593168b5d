// Counts on a GPU with a counter for each move of the automaton instead of each state.
//
// A move to a state where something ends leads straight to the row from which the walk goes on, and has a mark. So
// leaves need no rows, a walk never waits for a link or a counter, and the place of the move in the table is that of
// its counter. Counters of 16 bits are emptied into the counts of queries when they are half full.
#pragma once

#include <cstdint>

#include "kernels/automata/endings.hpp"
#include "kernels/cuda/state_counters.cuh"
#include "kernels/cuda/walk.cuh"

namespace basesweep::ac_dfa {

// A cell: the row that the walk goes on from, and whether something ends there.
inline constexpr std::uint32_t kMoveEnds = 1U << 15;

struct MoveDfa {
  struct State {
    std::uint32_t cell;
    std::uint32_t at;  // byte of the table where the cell is
  };

  const std::uint16_t* table;    // cells at [4 row + code]
  const std::uint16_t* targets;  // the states that they stand for, in the device's memory

  __device__ State at(std::uint32_t number) const { return {number, 0}; }
  __device__ State next(State state, std::uint32_t codes, int i) const {
    const int shift = 2 * i - 1;
    const std::uint32_t offset = (shift < 0 ? codes << -shift : codes >> shift) & 6U;
    const std::uint32_t at = (state.cell << 3 & (kMoveEnds - 1) << 3) | offset;
    return {*reinterpret_cast<const std::uint16_t*>(reinterpret_cast<const char*>(table) + at), at};
  }
  __device__ bool has_ending(State state) const { return (state.cell & kMoveEnds) != 0; }
  __device__ State go_on(State state) const { return {state.cell & (kMoveEnds - 1), state.at}; }
  __device__ std::uint32_t number(State state) const { return has_ending(state) ? targets[state.at / 2] : state.cell; }
};

// Two counters in a word, of the moves from `first_row` on.
struct MoveCounters {
  static constexpr bool kEmptiesGroups = true;
  static constexpr std::uint32_t kCount = 0xFFFF;
  static constexpr std::uint32_t kHalfFull = 0x8000;

  std::uint32_t in_shared;  // words
  std::uint32_t first_row, first_output;
  const std::uint16_t* targets;

  __device__ std::uint32_t first_value(std::uint32_t /*word*/) const { return 0; }

  __device__ MoveDfa::State add(std::uint32_t* words, const MoveDfa& /*automaton*/, MoveDfa::State state,
                                const EndingsView& /*endings*/, const cuda::DeviceSink& /*sink*/,
                                std::uint32_t& seen) const {
    seen |= atomicAdd(words + word_of(state), 1U << shift_of(state));
    return state;
  }

  // `seen`: what add() has seen in a group. Up to the end of its group each of a block's threads can add 16 times to a
  // counter that is half full, so that it never overflows.
  static __device__ bool any_half_full(std::uint32_t seen) { return (seen & (kHalfFull << 16 | kHalfFull)) != 0; }

  // Empties the half full ones of the counters that a group has added to.
  __device__ __noinline__ void empty(std::uint32_t* words, const MoveDfa& automaton, MoveDfa::State state,
                                     std::uint32_t codes, const EndingsView& endings,
                                     const cuda::DeviceSink& sink) const {
    for (int i = 0; i < cuda::kGroup; ++i, codes >>= 2) {
      state = automaton.next(state, codes, 0);
      if (!automaton.has_ending(state)) continue;
      std::uint32_t* const word = words + word_of(state);
      const std::uint32_t shift = shift_of(state);
      std::uint32_t counters = *word;
      while ((counters >> shift & kHalfFull) != 0) {
        const std::uint32_t found = atomicCAS(word, counters, counters & ~(kCount << shift));
        if (found == counters) {
          add_to_queries(endings, sink, automaton.number(state) - first_output, counters >> shift & kCount);
          break;
        }
        counters = found;
      }
    }
  }

  // Adds the counts of a word to the queries.
  __device__ void collect(const std::uint32_t* words, std::uint32_t word, const EndingsView& endings,
                          const cuda::DeviceSink& sink) const {
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t count = words[word] >> 16 * half & kCount;
      if (count != 0) add_to_queries(endings, sink, targets[4 * first_row + 2 * word + half] - first_output, count);
    }
  }

 private:
  __device__ std::uint32_t word_of(MoveDfa::State state) const { return state.at / 4 - 2 * first_row; }
  static __device__ std::uint32_t shift_of(MoveDfa::State state) { return (state.at & 2U) * 8; }
};

// The table in shared memory. It takes counts alone.
struct MovesTable {
  static constexpr bool kInShared = true;
  static constexpr int kGroupsUnrolled = 4;
  static constexpr bool kSplitsCounters = false;

  const std::uint16_t* cells;
  const std::uint16_t* targets;
  std::uint32_t first_output;
  std::uint32_t rows;
  std::uint32_t first_row;  // the first with a move to where something ends
  std::uint32_t bytes;
  std::uint32_t bytes_beside_counters = bytes;

  __device__ MoveDfa automaton(uint4* shared) const {
    cuda::copy_to_shared(shared, cells, bytes);
    return {reinterpret_cast<const std::uint16_t*>(shared), targets};
  }
  __device__ MoveDfa automaton_beside_counters(uint4* shared, std::uint32_t* /*words*/) const {
    return automaton(shared);
  }
  MoveCounters counters(std::uint32_t /*counted*/) const {
    return {2 * (rows - first_row), first_row, first_output, targets};
  }
};

}  // namespace basesweep::ac_dfa
