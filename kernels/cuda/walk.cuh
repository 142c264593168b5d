// How the automata of Aho and Corasick walk text on the GPU: a thread takes chunks of columns, each with some overlap.
//
// A Table brings the automaton to a block:
//   kInShared                  whether it lies in shared memory
//   kGroupsUnrolled            of the kGroup columns of a group, in 64 columns: as many as its code is short
//   bytes                      of shared memory it needs, a multiple of 16, 0 if none
//   automaton(uint4* shared)   called by all threads of a block, which wait for each other afterwards
// and the automaton has a State, at(number), next(state, codes, i) for column i of codes, has_ending(state) and
// number(state); the root is at(0).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/hit_sink.cuh"
#include "kernels/endings.hpp"
#include "kernels/text.hpp"

namespace basesweep::cuda {

inline constexpr int kGroup = 16;  // columns walked before anyone looks whether something ended

// A thread fetches whole sectors of 32 bytes of its chunk at once: what it left for later would often be gone from the
// cache, which the tables leave little of.
inline constexpr int kLoadWords = 4;
inline constexpr std::uint32_t kLoadColumns = 64 * kLoadWords;

__device__ __forceinline__ void load_words(std::uint64_t (&words)[kLoadWords], const std::uint64_t* from) {
  const auto* pairs = reinterpret_cast<const ulonglong2*>(from);
  const ulonglong2 first = pairs[0];
  const ulonglong2 second = pairs[1];
  words[0] = first.x;
  words[1] = first.y;
  words[2] = second.x;
  words[3] = second.y;
}

// Of the counters of walk_and_count(), which begin a block's shared memory: one for each state where something ends.
inline __host__ __device__ std::size_t state_counter_bytes(const EndingsView& endings) {
  return whole_vectors(std::size_t{endings.states - endings.first_output} * sizeof(std::uint32_t));
}

// Copies whole vectors with all threads of a block.
__device__ inline void copy_to_shared(uint4* shared, const void* from, std::uint32_t bytes) {
  const auto* vectors = static_cast<const uint4*>(from);
#pragma unroll 2
  for (std::uint32_t i = threadIdx.x; i < bytes / sizeof(uint4); i += blockDim.x) shared[i] = vectors[i];
}

// Calls use(column, codes) for every group of columns from `begin`, a multiple of kLoadColumns, to `stop`.
template <class Table, class Use>
__device__ __forceinline__ void for_each_group(const PackedView& text, std::uint32_t begin, std::uint32_t stop,
                                               Use use) {
  for (std::uint32_t loaded = begin; loaded < stop; loaded += kLoadColumns) {
    std::uint64_t lo[kLoadWords];
    std::uint64_t hi[kLoadWords];
    load_words(lo, text.lo + loaded / 64);
    load_words(hi, text.hi + loaded / 64);
#pragma unroll 1
    for (std::uint32_t column = loaded; column < loaded + kLoadColumns && column < stop; column += 64) {
      const std::uint64_t both[2] = {
          codes(static_cast<std::uint32_t>(lo[0]), static_cast<std::uint32_t>(hi[0])),
          codes(static_cast<std::uint32_t>(lo[0] >> 32), static_cast<std::uint32_t>(hi[0] >> 32))};
#pragma unroll
      for (int w = 0; w + 1 < kLoadWords; ++w) {  // a queue, so that registers need no index
        lo[w] = lo[w + 1];
        hi[w] = hi[w + 1];
      }
#pragma unroll(Table::kGroupsUnrolled)
      for (int group = 0; group < 64 / kGroup; ++group) {
        const std::uint32_t at = column + kGroup * group;
        if (at >= stop) break;
        use(at, static_cast<std::uint32_t>((group < 2 ? both[0] : both[1]) >> (2 * kGroup * (group % 2))));
      }
    }
  }
}

// Walks a group; bit i of the result tells that something ends with its column i.
template <class Automaton>
__device__ __forceinline__ std::uint32_t walk_group(const Automaton& automaton, typename Automaton::State& state,
                                                    std::uint32_t codes) {
  std::uint32_t ends = 0;
#pragma unroll
  for (int i = 0; i < kGroup; ++i) {
    state = automaton.next(state, codes, i);
    if (automaton.has_ending(state)) ends |= 1U << i;
  }
  return ends;
}

// Calls use(start, ending) for what ends in a group and starts in [begin, end). `number` is the state's before the
// group, `ends` what walk_group() said of it.
template <class Automaton, class Use>
__device__ void for_each_ending(const Automaton& automaton, const EndingsView& endings, std::uint32_t number,
                                std::uint32_t codes, std::uint32_t ends, std::uint32_t column, std::uint32_t begin,
                                std::uint32_t end, Use use) {
  auto state = automaton.at(number);
  for (; ends != 0; ends >>= 1, codes >>= 2) {
    state = automaton.next(state, codes, 0);
    ++column;
    if ((ends & 1U) == 0) continue;
    const std::uint32_t output = automaton.number(state) - endings.first_output;
    for (std::uint32_t e = endings.begin[output]; e < endings.begin[output + 1]; ++e) {
      const Ending ending = endings.endings[e];
      const std::uint32_t start = column - ending.length;
      if (start >= begin && start < end) use(start, ending);
    }
  }
}

// Sends that. The group is walked again, twice: to count, so that a warp needs one atomic, and to store.
template <class Automaton>
__device__ __noinline__ void send(Automaton automaton, const EndingsView& endings, const DeviceSink& sink,
                                  std::uint32_t number, std::uint32_t codes, std::uint32_t ends, std::uint32_t column,
                                  std::uint32_t begin, std::uint32_t end) {
  std::uint32_t n = 0;
  for_each_ending(automaton, endings, number, codes, ends, column, begin, end,
                  [&](std::uint32_t start, const Ending& ending) {
                    if (!sink.accepts(start, ending.length)) return;
                    ++n;
                    if (sink.counts_only()) sink.count(ending.entry, 1);
                  });
  if (sink.counts_only()) return;
  std::uint64_t place = sink.reserve(n);
  for_each_ending(automaton, endings, number, codes, ends, column, begin, end,
                  [&](std::uint32_t start, const Ending& ending) {
                    if (sink.accepts(start, ending.length)) sink.store(place++, start, ending.entry);
                  });
}

// Sends what starts in chunks of `chunk` columns, a multiple of kLoadColumns. A thread walks a chunk and
// max_length - 1 columns on: whatever starts in its chunk ends there. All walks begin at the root, so nothing that
// starts before the chunk is found.
template <class Table, int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    walk_and_send(const __grid_constant__ Table table, const __grid_constant__ EndingsView endings,
                  const __grid_constant__ DeviceSink sink, std::uint32_t chunk) {
  sink.begin_block();
  const auto automaton = table.automaton(DeviceSink::own_shared<uint4>());
  if constexpr (Table::kInShared) __syncthreads();
  const std::uint32_t origin = sink.text.own_begin / kLoadColumns * kLoadColumns;
  const std::uint32_t chunks = (sink.text.own_end - origin + chunk - 1) / chunk;
  for (std::uint32_t c = blockIdx.x * Threads + threadIdx.x; c < chunks; c += gridDim.x * Threads) {
    const std::uint32_t begin = origin + c * chunk;
    const std::uint32_t end = begin + chunk;
    auto state = automaton.at(0);
    for_each_group<Table>(sink.text, begin, end + endings.max_length - 1, [&](std::uint32_t at, std::uint32_t codes) {
      const std::uint32_t before = automaton.number(state);
      const std::uint32_t ends = walk_group(automaton, state, codes);
      if (ends != 0) send(automaton, endings, sink, before, codes, ends, at, begin, end);
    });
  }
  sink.end_block();
}

// The state in which a walk of all the text comes to `begin`, a multiple of kGroup, as far as entries can tell.
template <class Automaton>
__device__ __forceinline__ typename Automaton::State state_before(const Automaton& automaton, const PackedView& text,
                                                                  std::uint32_t begin, std::uint32_t max_length) {
  const std::uint32_t before = (max_length - 1 + kGroup - 1) / kGroup * kGroup;
  auto state = automaton.at(0);
#pragma unroll 1
  for (std::uint32_t column = begin - min(begin, before); column < begin; column += kGroup) {
    const auto half = [column](const std::uint64_t* plane) {
      return reinterpret_cast<const std::uint16_t*>(plane)[column / kGroup];
    };
    const auto group = static_cast<std::uint32_t>(codes(half(text.lo), half(text.hi)));
#pragma unroll
    for (int i = 0; i < kGroup; ++i) state = automaton.next(state, group, i);
  }
  return state;
}

// Whether the sink would take all that ends in [begin, end): then it need not be asked.
__device__ inline bool takes_all(const DeviceSink& sink, std::uint32_t max_length, std::uint32_t begin,
                                 std::uint32_t end) {
  if (begin < sink.text.own_begin + (max_length - 1) || end > sink.text.own_end) return false;
  return sink.next_blocked(begin - (max_length - 1)).begin >= end;
}

// Counts what ends in chunks of `chunk` columns, with a counter of each state in shared memory (Xu and others 2023,
// section 5.4): in a chunk of which the sink would take all, one shared atomic a column where something ends. When the
// block has done all its chunks, what a state's counter says is true of each entry that ends there.
template <class Table, int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    walk_and_count(const __grid_constant__ Table table, const __grid_constant__ EndingsView endings,
                   const __grid_constant__ DeviceSink sink, std::uint32_t chunk) {
  sink.begin_block();
  auto* const counters = DeviceSink::own_shared<std::uint32_t>();
  const std::uint32_t counted = endings.states - endings.first_output;
  for (std::uint32_t s = threadIdx.x; s < counted; s += Threads) counters[s] = 0;
  const auto automaton =
      table.automaton(DeviceSink::own_shared<uint4>() + state_counter_bytes(endings) / sizeof(uint4));
  __syncthreads();

  const std::uint32_t origin = sink.text.own_begin / kLoadColumns * kLoadColumns;
  const std::uint32_t chunks = (sink.text.own_end + endings.max_length - 1 - origin + chunk - 1) / chunk;
  for (std::uint32_t c = blockIdx.x * Threads + threadIdx.x; c < chunks; c += gridDim.x * Threads) {
    const std::uint32_t begin = origin + c * chunk;
    const std::uint32_t end = begin + chunk;
    auto state = state_before(automaton, sink.text, begin, endings.max_length);
    if (takes_all(sink, endings.max_length, begin, end)) {
      for_each_group<Table>(sink.text, begin, end, [&](std::uint32_t, std::uint32_t codes) {
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
          state = automaton.next(state, codes, i);
          if (automaton.has_ending(state)) atomicAdd(counters + automaton.number(state) - endings.first_output, 1);
        }
      });
    } else {
      for_each_group<Table>(sink.text, begin, end, [&](std::uint32_t at, std::uint32_t codes) {
        const std::uint32_t before = automaton.number(state);
        const std::uint32_t ends = walk_group(automaton, state, codes);
        if (ends != 0) send(automaton, endings, sink, before, codes, ends, at, 0, sink.text.own_end);
      });
    }
  }

  __syncthreads();
  for (std::uint32_t s = threadIdx.x; s < counted; s += Threads) {
    if (counters[s] == 0) continue;
    for (std::uint32_t e = endings.begin[s]; e < endings.begin[s + 1]; ++e) {
      sink.count(endings.endings[e].entry, counters[s]);
    }
  }
  sink.end_block();
}

}  // namespace basesweep::cuda
