// How the automata of Aho and Corasick walk text on the GPU: each thread takes one tile after another, with some
// overlap.
//
// A Table brings the automaton to a block:
//   kInShared                  whether it lies in shared memory
//   kGroupsUnrolled            how many of the four groups in 64 positions are unrolled: more if the code is short
//   bytes                      of shared memory that it needs: a multiple of 16, 0 if none
//   automaton(uint4* shared)   called by all threads of a block, which wait for each other afterwards
//   bytes_beside_counters, automaton_beside_counters(uint4* shared, cells)   the same for walk_and_count()
//   Counters, counters()       what walk_and_count() counts with, see kernels/cuda/state_counters.cuh
// The automaton has a State, at(number), next(state, codes, i) for position i of codes, has_ending(state) and
// number(state); the root is at(0). go_on(state) is where the walk goes on from if something ended in `state`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/automata/endings.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/state_counters.cuh"
#include "kernels/text.hpp"

namespace basesweep::cuda {

inline constexpr int kGroup = 16;  // positions that are walked before a check whether something ended

// A thread fetches whole sectors of 32 bytes of its tile at once. The tables leave little of the cache, so the rest of
// a sector would often be gone when the thread comes back for it.
inline constexpr int kLoadWords = 4;
inline constexpr std::uint32_t kLoadPositions = 64 * kLoadWords;

__device__ __forceinline__ void load_words(std::uint64_t (&words)[kLoadWords], const std::uint64_t* from) {
  const auto* pairs = reinterpret_cast<const ulonglong2*>(from);
  const ulonglong2 first = pairs[0];
  const ulonglong2 second = pairs[1];
  words[0] = first.x;
  words[1] = first.y;
  words[2] = second.x;
  words[3] = second.y;
}

// States where something ends; each has a counter.
inline __host__ __device__ std::uint32_t counted_states(const EndingsView& endings) {
  return endings.states - endings.first_output;
}
// Bytes of `counters` counters in a block's shared memory, where they come first.
inline __host__ __device__ std::size_t counter_bytes(std::uint32_t counters) {
  return whole_vectors(std::size_t{counters} * sizeof(std::uint32_t));
}

// Copies whole vectors. For all threads of a block.
__device__ inline void copy_to_shared(uint4* shared, const void* from, std::uint32_t bytes) {
  const auto* vectors = static_cast<const uint4*>(from);
#pragma unroll 2
  for (std::uint32_t i = threadIdx.x; i < bytes / sizeof(uint4); i += blockDim.x) shared[i] = vectors[i];
}

// Calls use(position, codes) for every group of positions in [begin, stop). `begin` is a multiple of kLoadPositions.
template <class Table, class Use>
__device__ __forceinline__ void for_each_group(const PackedView& text, std::uint32_t begin, std::uint32_t stop,
                                               Use use) {
  for (std::uint32_t loaded = begin; loaded < stop; loaded += kLoadPositions) {
    std::uint64_t lo[kLoadWords];
    std::uint64_t hi[kLoadWords];
    load_words(lo, text.lo + loaded / 64);
    load_words(hi, text.hi + loaded / 64);
#pragma unroll 1
    for (std::uint32_t position = loaded; position < loaded + kLoadPositions && position < stop; position += 64) {
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
        const std::uint32_t at = position + kGroup * group;
        if (at >= stop) break;
        use(at, static_cast<std::uint32_t>((group < 2 ? both[0] : both[1]) >> (2 * kGroup * (group % 2))));
      }
    }
  }
}

// Walks a group. Bit i of the result: something ends with its position i.
template <class Automaton>
__device__ __forceinline__ std::uint32_t walk_group(const Automaton& automaton, typename Automaton::State& state,
                                                    std::uint32_t codes) {
  std::uint32_t ends = 0;
#pragma unroll
  for (int i = 0; i < kGroup; ++i) {
    state = automaton.next(state, codes, i);
    if (automaton.has_ending(state)) {
      ends |= 1U << i;
      state = automaton.go_on(state);
    }
  }
  return ends;
}

// Calls use(start, ending) for all that ends in a group and starts in [begin, end). `number`: of the state before the
// group. `ends`: the result of walk_group().
template <class Automaton, class Use>
__device__ void for_each_ending(const Automaton& automaton, const EndingsView& endings, std::uint32_t number,
                                std::uint32_t codes, std::uint32_t ends, std::uint32_t position, std::uint32_t begin,
                                std::uint32_t end, Use use) {
  auto state = automaton.at(number);
  for (; ends != 0; ends >>= 1, codes >>= 2) {
    state = automaton.next(state, codes, 0);
    ++position;
    if ((ends & 1U) == 0) continue;
    const std::uint32_t output = automaton.number(state) - endings.first_output;
    for (std::uint32_t e = endings.begin[output]; e < endings.begin[output + 1]; ++e) {
      const Ending ending = endings.endings[e];
      const std::uint32_t start = position - ending.length;
      if (start >= begin && start < end) use(start, ending);
    }
    state = automaton.go_on(state);
  }
}

// Sends all that ends in a group and starts in [begin, end). Walks the group again, twice: first to count, so that a
// warp needs one atomic, then to store.
template <class Automaton>
__device__ __noinline__ void send(Automaton automaton, const EndingsView& endings, const DeviceSink& sink,
                                  std::uint32_t number, std::uint32_t codes, std::uint32_t ends, std::uint32_t position,
                                  std::uint32_t begin, std::uint32_t end) {
  std::uint32_t n = 0;
  for_each_ending(automaton, endings, number, codes, ends, position, begin, end,
                  [&](std::uint32_t start, const Ending& ending) {
                    if (!sink.accepts(start, ending.length)) return;
                    ++n;
                    if (sink.counts_only()) sink.count(ending.query, 1);
                  });
  if (sink.counts_only()) return;
  std::uint64_t place = sink.reserve(n);
  for_each_ending(automaton, endings, number, codes, ends, position, begin, end,
                  [&](std::uint32_t start, const Ending& ending) {
                    if (sink.accepts(start, ending.length)) sink.store(place++, start, ending.query);
                  });
}

// `position` rounded up to where a tile can end.
inline __host__ __device__ std::uint32_t tile_end_at(std::uint32_t position) {
  return (position + kLoadPositions - 1) / kLoadPositions * kLoadPositions;
}

// Sends what starts in tiles of `tile` positions, a multiple of kLoadPositions. A thread walks a tile and the
// max_length - 1 positions after it, since whatever starts in the tile ends there. All walks begin at the root, so
// nothing that starts before the tile is found.
template <class Table, int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    walk_and_send(const __grid_constant__ Table table, const __grid_constant__ EndingsView endings,
                  const __grid_constant__ DeviceSink sink, std::uint32_t tile) {
  sink.begin_block();
  const auto automaton = table.automaton(DeviceSink::own_shared<uint4>());
  if constexpr (Table::kInShared) __syncthreads();
  const std::uint32_t origin = sink.text.own_begin / kLoadPositions * kLoadPositions;
  const std::uint32_t tiles = (sink.text.own_end - origin + tile - 1) / tile;
  for (std::uint32_t c = blockIdx.x * Threads + threadIdx.x; c < tiles; c += gridDim.x * Threads) {
    const std::uint32_t begin = origin + c * tile;
    const std::uint32_t end = min(begin + tile, tile_end_at(sink.text.own_end));
    auto state = automaton.at(0);
    for_each_group<Table>(sink.text, begin, end + endings.max_length - 1, [&](std::uint32_t at, std::uint32_t codes) {
      const std::uint32_t before = automaton.number(state);
      const std::uint32_t ends = walk_group(automaton, state, codes);
      if (ends != 0) send(automaton, endings, sink, before, codes, ends, at, begin, end);
    });
  }
  sink.end_block();
}

// The state in which a walk from the text's first position comes to `begin`, a multiple of kGroup: walks max_length - 1
// positions, rounded up, which is as much as a query can reach back.
template <class Automaton>
__device__ __forceinline__ typename Automaton::State state_before(const Automaton& automaton, const PackedView& text,
                                                                  std::uint32_t begin, std::uint32_t max_length) {
  const std::uint32_t before = (max_length - 1 + kGroup - 1) / kGroup * kGroup;
  auto state = automaton.at(0);
#pragma unroll 1
  for (std::uint32_t position = begin - min(begin, before); position < begin; position += kGroup) {
    const auto half = [position](const std::uint64_t* plane) {
      return reinterpret_cast<const std::uint16_t*>(plane)[position / kGroup];
    };
    const auto group = static_cast<std::uint32_t>(codes(half(text.lo), half(text.hi)));
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      state = automaton.next(state, group, i);
      if (automaton.has_ending(state)) state = automaton.go_on(state);
    }
  }
  return state;
}

// True if the sink would take all that ends in [begin, end), so that it need not be asked.
__device__ inline bool takes_all(const DeviceSink& sink, std::uint32_t max_length, std::uint32_t begin,
                                 std::uint32_t end) {
  if (begin < sink.text.own_begin + (max_length - 1) || end > sink.text.own_end) return false;
  return sink.next_blocked(begin - (max_length - 1)).begin >= end;
}

// Counts what ends in tiles of `tile` positions, with counters of states (Xu and others 2023, section 5.4). In a
// tile of which the sink would take all, a position where something ends costs one atomic. When the block has done all
// its tiles, it adds each state's count to every query that ends in the state.
template <class Table, class Counters, int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks)
    walk_and_count(const __grid_constant__ Table table, const __grid_constant__ Counters counters,
                   const __grid_constant__ EndingsView endings, const __grid_constant__ DeviceSink sink,
                   std::uint32_t tile) {
  sink.begin_block();
  auto* const cells = DeviceSink::own_shared<std::uint32_t>();
  for (std::uint32_t s = threadIdx.x; s < counters.in_shared; s += Threads) cells[s] = counters.first_value(s);
  const auto automaton = table.automaton_beside_counters(
      DeviceSink::own_shared<uint4>() + counter_bytes(counters.in_shared) / sizeof(uint4), cells);
  __syncthreads();

  const std::uint32_t origin = sink.text.own_begin / kLoadPositions * kLoadPositions;
  const std::uint32_t last = sink.text.own_end + endings.max_length - 1;
  const std::uint32_t tiles = (last - origin + tile - 1) / tile;
  for (std::uint32_t c = blockIdx.x * Threads + threadIdx.x; c < tiles; c += gridDim.x * Threads) {
    const std::uint32_t begin = origin + c * tile;
    const std::uint32_t end = min(begin + tile, tile_end_at(last));
    auto state = state_before(automaton, sink.text, begin, endings.max_length);
    if (takes_all(sink, endings.max_length, begin, end)) {
      for_each_group<Table>(sink.text, begin, end, [&](std::uint32_t, std::uint32_t codes) {
        [[maybe_unused]] const auto before = state;
        std::uint32_t seen = 0;
#pragma unroll
        for (int i = 0; i < kGroup; ++i) {
          state = automaton.next(state, codes, i);
          state = counters.step(cells, automaton, state, endings, sink, seen);
        }
        if constexpr (Counters::kEmptiesGroups) {
          if (counters.any_full(seen)) counters.empty(cells, automaton, before, codes, endings, sink);
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
  for (std::uint32_t s = threadIdx.x; s < counters.in_shared; s += Threads) {
    counters.collect(cells, s, endings, sink);
  }
  sink.end_block();
}

}  // namespace basesweep::cuda
