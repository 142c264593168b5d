// Counters of the states of an automaton where something ends, for walk_and_count() (kernels/cuda/walk.cuh; Xu and
// others 2023, section 5). Passed to the kernel by value.
//
//   in_shared                           how many of them are in a block's shared memory: those of the first states
//   first_value(s)                      what a cell begins with
//   step(cells, automaton, state, ...)  counts a state if something ends there, and returns the one from which the
//                                       walk goes on
//   collect(cells, s, endings, sink)    adds a cell's count to the queries
//   kEmptiesGroups                      if true, empty() is called after each group of positions for which
//                                       any_full(seen) is true; step() adds to `seen`
#pragma once

#include <cstdint>

#include "kernels/automata/endings.hpp"
#include "kernels/cuda/occurrence_sink.cuh"

namespace basesweep::cuda {

// Adds the count of state first_output + s to all queries that end there.
__device__ inline void add_to_queries(const EndingsView& endings, const DeviceSink& sink, std::uint32_t s,
                                      std::uint32_t count) {
  if (count == 0) return;
  for (std::uint32_t e = endings.begin[s]; e < endings.begin[s + 1]; ++e) sink.count(endings.endings[e].query, count);
}

// The common part of counters without links.
struct PlainCounters {
  static constexpr bool kEmptiesGroups = false;

  std::uint32_t in_shared;

  __device__ std::uint32_t first_value(std::uint32_t /*s*/) const { return 0; }
  __device__ void collect(const std::uint32_t* cells, std::uint32_t s, const EndingsView& endings,
                          const DeviceSink& sink) const {
    add_to_queries(endings, sink, s, cells[s]);
  }
};

// All in shared memory.
struct SharedCounters : PlainCounters {
  template <class Automaton>
  __device__ typename Automaton::State step(std::uint32_t* cells, const Automaton& automaton,
                                            const typename Automaton::State& state, const EndingsView& endings,
                                            const DeviceSink& /*sink*/, std::uint32_t& /*seen*/) const {
    if (!automaton.has_ending(state)) return state;
    atomicAdd(cells + automaton.number(state) - endings.first_output, 1U);
    return automaton.go_on(state);
  }
};

// The counters of the first states are in shared memory, the others in the device's: for the paper's comparison of
// both.
struct SplitCounters : PlainCounters {
  std::uint32_t* in_device;  // of all states

  template <class Automaton>
  __device__ typename Automaton::State step(std::uint32_t* cells, const Automaton& automaton,
                                            const typename Automaton::State& state, const EndingsView& endings,
                                            const DeviceSink& /*sink*/, std::uint32_t& /*seen*/) const {
    if (!automaton.has_ending(state)) return state;
    const std::uint32_t s = automaton.number(state) - endings.first_output;
    atomicAdd(s < in_shared ? cells + s : in_device + s, 1U);
    return automaton.go_on(state);
  }
};

// All in shared memory, each with the row from which the walk goes on in its upper half. So one access counts and
// follows the link, and links need no memory of their own.
//
// A lower half that is half full is emptied into the counts of queries by a thread that sees it. Up to then, each of a
// block's threads can add once more, so that it never overflows.
struct LinkingCounters {
  static constexpr bool kEmptiesGroups = false;
  static constexpr std::uint32_t kCount = 0xFFFF;
  static constexpr std::uint32_t kHalfFull = 0x8000;

  std::uint32_t in_shared;
  std::uint32_t first_output, rows;
  const std::uint16_t* links;  // of the states from `rows` on

  __device__ std::uint32_t first_value(std::uint32_t s) const {
    const std::uint32_t state = first_output + s;
    return (state < rows ? state : links[state - rows]) << 16;
  }
  __device__ void collect(const std::uint32_t* cells, std::uint32_t s, const EndingsView& endings,
                          const DeviceSink& sink) const {
    add_to_queries(endings, sink, s, cells[s] & kCount);
  }
  template <class Automaton>
  __device__ std::uint32_t step(std::uint32_t* cells, const Automaton& automaton, std::uint32_t state,
                                const EndingsView& endings, const DeviceSink& sink, std::uint32_t& /*seen*/) const {
    if (!automaton.has_ending(state)) return state;
    const std::uint32_t s = state - endings.first_output;
    const std::uint32_t before = atomicAdd(cells + s, 1U);
    if ((before & kHalfFull) != 0) empty(cells, s, endings, sink);
    return before >> 16;
  }

 private:
  static __device__ __noinline__ void empty(std::uint32_t* cells, std::uint32_t s, const EndingsView& endings,
                                            const DeviceSink& sink) {
    std::uint32_t cell = cells[s];
    while ((cell & kHalfFull) != 0) {
      const std::uint32_t seen = atomicCAS(cells + s, cell, cell & ~kCount);
      if (seen == cell) return add_to_queries(endings, sink, s, cell & kCount);
      cell = seen;
    }
  }
};

// Adds the counts that SplitCounters left in the device's memory.
template <class Counter>
__global__ void __launch_bounds__(256)
    add_device_counters(const __grid_constant__ EndingsView endings, const __grid_constant__ DeviceSink sink,
                        const Counter* counters, std::uint32_t count) {
  for (std::uint32_t s = blockIdx.x * 256 + threadIdx.x; s < count; s += gridDim.x * 256) {
    add_to_queries(endings, sink, s, counters[s]);
  }
}

}  // namespace basesweep::cuda
