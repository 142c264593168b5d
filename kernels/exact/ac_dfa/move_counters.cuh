// Counts on a GPU with a counter for each move of the automaton instead of each state.
//
// A move to a state where something ends leads straight to the row from which the walk goes on, and has a mark. So
// leaves need no rows, a walk never waits for a link or a counter, and the place of the move in the table is that of
// its counter. Counters of 16 bits are emptied into the counts of queries long before they overflow.
#pragma once

#include <cstdint>

#include "kernels/automata/endings.hpp"
#include "kernels/cuda/state_counters.cuh"
#include "kernels/cuda/walk.cuh"

namespace basesweep::ac_dfa {

// A cell of the table is the row from which the walk goes on; its highest bit is set if something ends there.
inline constexpr std::uint32_t kMoveEnds = 1U << 15;
inline constexpr std::uint32_t kMoveRows = kMoveEnds;  // that cells can number

inline std::uint16_t move_cell(std::uint32_t row, bool ends) {
  return static_cast<std::uint16_t>(row | (ends ? kMoveEnds : 0));
}

struct MoveDfa {
  static constexpr std::uint32_t kRowBytes = 8;
  static constexpr std::uint32_t kEnds = kMoveEnds * kRowBytes;

  struct State {
    std::uint32_t row;  // its first byte in the table, and kEnds if something ends
    std::uint32_t at;   // byte of the table where the cell is
  };

  const std::uint16_t* table;    // cells at [4 row + code]
  const std::uint16_t* targets;  // the states that they mean, in the device's memory

  __device__ State at(std::uint32_t number) const { return {number * kRowBytes, 0}; }
  __device__ State next(State state, std::uint32_t codes, int i) const {
    const int shift = 2 * i - 1;
    const std::uint32_t offset = (shift < 0 ? codes << -shift : codes >> shift) & 6U;
    const std::uint32_t at = (state.row & (kEnds - kRowBytes)) | offset;
    std::uint32_t row = *reinterpret_cast<const std::uint16_t*>(reinterpret_cast<const char*>(table) + at) * kRowBytes;
    asm("" : "+r"(row));  // so that has_ending() compares 32 bits, which is one instruction
    return {row, at};
  }
  __device__ bool has_ending(State state) const { return state.row >= kEnds; }
  __device__ State go_on(State state) const { return {state.row & (kEnds - kRowBytes), state.at}; }
  __device__ std::uint32_t number(State state) const {
    return has_ending(state) ? targets[state.at / 2] : state.row / kRowBytes;
  }
};

// Two counters in a word, of the moves from `first_row` on. The lower one counts in steps of two, since the step is
// then one multiplication and addition.
struct MoveCounters {
  static constexpr bool kEmptiesGroups = true;
  static constexpr std::uint32_t kHalf = 0xFFFF;
  static constexpr std::uint32_t kFull = 0xC000;  // one of these bits: to be emptied

  std::uint32_t in_shared;  // words
  std::uint32_t first_row, first_output;
  std::uint32_t minus_first;  // the offset from a byte of the table to that of counters: -8 times first_row
  const std::uint16_t* targets;

  __device__ std::uint32_t first_value(std::uint32_t /*word*/) const { return 0; }

  __device__ MoveDfa::State step(std::uint32_t* words, const MoveDfa& automaton, MoveDfa::State state,
                                 const EndingsView& /*endings*/, const cuda::DeviceSink& /*sink*/,
                                 std::uint32_t& seen) const {
    if (automaton.has_ending(state)) {
      const std::uint32_t upper = state.at & 2U;
      seen |= atomicAdd(word_at(words, state.at - upper), upper * 0x7FFFU + 2);
    }
    return state;
  }

  // `seen`: what step() has seen in a group. Up to the end of its group each of a block's 1,024 threads or fewer can
  // add 16 times to a counter that is full, so that none overflows.
  static __device__ bool any_full(std::uint32_t seen) { return (seen & (kFull << 16 | kFull)) != 0; }

  // Empties the full ones of the counters that a group has added to.
  __device__ __noinline__ void empty(std::uint32_t* words, const MoveDfa& automaton, MoveDfa::State state,
                                     std::uint32_t codes, const EndingsView& endings,
                                     const cuda::DeviceSink& sink) const {
    for (int i = 0; i < cuda::kGroup; ++i, codes >>= 2) {
      state = automaton.next(state, codes, 0);
      if (!automaton.has_ending(state)) continue;
      const std::uint32_t upper = state.at & 2U;
      const std::uint32_t shift = upper * 8;
      std::uint32_t* const word = word_at(words, state.at - upper);
      std::uint32_t counters = *word;
      while ((counters >> shift & kFull) != 0) {
        const std::uint32_t found = atomicCAS(word, counters, counters & ~(kHalf << shift));
        if (found == counters) {
          add_to_queries(endings, sink, automaton.number(state) - first_output, count_in(counters, shift));
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
      const std::uint32_t count = count_in(words[word], 16 * half);
      if (count != 0) add_to_queries(endings, sink, targets[4 * first_row + 2 * word + half] - first_output, count);
    }
  }

 private:
  // The counters of two moves whose cells begin at this byte of the table.
  __device__ std::uint32_t* word_at(std::uint32_t* words, std::uint32_t at) const {
    return reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(words) + (at + minus_first));
  }
  // The number that the counter in the upper half, or with a shift of 0 in the lower one, has counted.
  static __device__ std::uint32_t count_in(std::uint32_t word, std::uint32_t shift) {
    return shift == 0 ? (word & kHalf) / 2 : word >> 16;
  }
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
    return {2 * (rows - first_row), first_row, first_output, 0U - MoveDfa::kRowBytes * first_row, targets};
  }
};

}  // namespace basesweep::ac_dfa
