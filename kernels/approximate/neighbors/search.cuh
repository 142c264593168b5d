// The GPU kernels of `neighbors` that search a text with the table.
#pragma once

#include <cstdint>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/step.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/warp_sum.cuh"

namespace basesweep::neighbors {
namespace {

constexpr int kThreads = 256;
constexpr std::uint32_t kEntries = 4;  // that a thread reads at once; lists of entries are filled up to a multiple
static_assert(kEntries <= kEntriesAtOnce);

// Neither is inlined, because search() and search_edits() seldom need it and should keep their registers. A table for
// mismatches needs only the first, which takes fewer.
__device__ __noinline__ void verify_for_mismatches(const IndexView& index, const cuda::DeviceSink& sink,
                                                   std::uint32_t entry, std::uint32_t position) {
  verify_mismatches(index, sink.text, index.seeds[index.seed_of[entry]], position,
                    [&](std::uint32_t last, std::uint32_t query) { sink.send(last, query); });
}

__device__ __noinline__ void verify_for_edits(const IndexView& index, const cuda::DeviceSink& sink, std::uint32_t entry,
                                              std::uint64_t place) {
  verify(
      index, sink.text, entry, place,
      [](std::uint32_t /*seed*/, const VerifyQuery& /*query*/, VerifyWindow& /*window*/) { return true; },
      [&](std::uint32_t last, std::uint32_t query) { sink.send(last, query); });
}

// The result of a thread's look-up of a position.
struct GramLookup {
  std::uint32_t begin, end;   // the entries of its gram
  std::uint32_t left, right;  // the text on either side

  __device__ GramLookup of_lane(unsigned lane) const {
    return {__shfl_sync(~0U, begin, lane), __shfl_sync(~0U, end, lane), __shfl_sync(~0U, left, lane),
            __shfl_sync(~0U, right, lane)};
  }
};

// `first_key`: of the table.
__device__ __forceinline__ GramLookup look_up(const IndexView& index, const PackedView& text, std::uint32_t position,
                                              std::uint32_t first_key = 0) {
  const std::uint64_t lo = positions_at(text.lo, position);
  const std::uint64_t hi = positions_at(text.hi, position);
  const std::uint32_t key =
      first_key | qgram(static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(hi), index.gram);
  return {__ldg(index.starts + key), __ldg(index.starts + key + 1), near_text_before(text, position, index.near),
          near_text(lo >> index.gram, hi >> index.gram, index.near)};
}

__device__ __forceinline__ uint4 load_entries(const IndexView& index, std::uint32_t i) {
  return __ldg(reinterpret_cast<const uint4*>(index.entries + i));
}

__device__ __forceinline__ bool entry_passes(std::uint32_t entry, const GramLookup& place, std::uint32_t near) {
  const std::uint32_t text = (entry & kLeftSide) != 0 ? place.left : place.right;
  return static_cast<std::uint32_t>(__popc(near_mismatches(entry, text, near))) < entry >> kBudgetShift;
}

// Compares entries [i, i + kEntries) with the text next to a position.
__device__ __forceinline__ void check(const IndexView& index, const cuda::DeviceSink& sink, const GramLookup& place,
                                      std::uint32_t position, std::uint32_t i, const uint4& loaded) {
  const std::uint32_t entries[kEntries] = {loaded.x, loaded.y, loaded.z, loaded.w};
  std::uint32_t pass = 0;
#pragma unroll
  for (std::uint32_t n = 0; n < kEntries; ++n) {
    if (entry_passes(entries[n], place, index.near)) pass |= 1U << n;
  }
  for (; pass != 0; pass &= pass - 1) {
    verify_for_mismatches(index, sink, i + static_cast<std::uint32_t>(__ffs(static_cast<int>(pass))) - 1, position);
  }
}

// Looks up positions [begin, end). A warp takes 32 at a time, and kTeam threads of it read the entries of a position
// side by side: one where most lists of entries are empty, else several. The first entries of kAhead positions are on
// their way at once.
template <unsigned kTeam, unsigned kAhead>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink, std::uint32_t begin,
           std::uint32_t end) {
  constexpr std::uint32_t kStep = kEntries * kTeam;
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t own_entries = kEntries * (lane % kTeam);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kThreads + (threadIdx.x - lane); first < end;
       first += stride) {
    const auto position = static_cast<std::uint32_t>(first) + lane;
    GramLookup own{};
    if (position < end) own = look_up(index, sink.text, position);
#pragma unroll 1
    for (unsigned turn = 0; turn < kTeam; turn += kAhead) {
      GramLookup places[kAhead];
      uint4 loaded[kAhead];
#pragma unroll
      for (unsigned n = 0; n < kAhead; ++n) {
        places[n] = kTeam == 1 ? own : own.of_lane(lane / kTeam * kTeam + turn + n);
        const std::uint32_t i = places[n].begin + own_entries;
        if (kAhead != 1) loaded[n] = i < places[n].end ? load_entries(index, i) : uint4{};  // 0 never passes
      }
#pragma unroll
      for (unsigned n = 0; n < kAhead; ++n) {
        const std::uint32_t at = static_cast<std::uint32_t>(first) + lane / kTeam * kTeam + turn + n;
        std::uint32_t i = places[n].begin + own_entries;
        if (kAhead != 1) {
          check(index, sink, places[n], at, i, loaded[n]);
          i += kStep;
        }
        for (; i < places[n].end; i += kStep) check(index, sink, places[n], at, i, load_entries(index, i));
      }
    }
  }
}

// Positions are looked up in the order of their grams where lists have many entries: those that read the same list then
// run side by side, and it comes from the device's memory once.
constexpr double kLongList = 100;  // entries, on average
constexpr std::uint32_t kSortBits = 24;
constexpr std::uint32_t kPositionsToSort = 1U << kSortBits;  // at once

// Lists each position from `begin` on: its gram in the high bits, and its number counted from `begin` in the low bits.
__global__ void __launch_bounds__(kThreads) list_grams(const __grid_constant__ IndexView index, const PackedView text,
                                                       std::uint32_t begin, std::uint32_t count, std::uint64_t* grams) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const auto lo = static_cast<std::uint32_t>(positions_at(text.lo, begin + i));
  const auto hi = static_cast<std::uint32_t>(positions_at(text.hi, begin + i));
  grams[i] = std::uint64_t{qgram(lo, hi, index.gram)} << kSortBits | i;
}

// An entry that passed, and the position that it was looked up for.
struct Passed {
  std::uint32_t entry, position;
};

// Looks up the positions that list_grams() has listed, in any order. A warp takes 32 and reads the entries of one after
// the other. Few entries pass, but hardly a step is without one; so they wait until there are enough for all threads.
__global__ void __launch_bounds__(kThreads)
    search_sorted(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink,
                  std::uint32_t begin, std::uint32_t count, const std::uint64_t* grams) {
  __shared__ Passed queues[kThreads / 32][2 * 32];
  Passed* const queue = queues[threadIdx.x / 32];
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = blockIdx.x * kThreads + (threadIdx.x - lane);
  if (first >= count) return;  // all threads of a warp
  GramLookup own{};
  std::uint32_t own_position = 0;
  if (first + lane < count) {
    own_position = begin + (static_cast<std::uint32_t>(grams[first + lane]) & (kPositionsToSort - 1));
    own = look_up(index, sink.text, own_position);
  }
  std::uint32_t waiting = 0;
  for (unsigned owner = 0; owner < 32; ++owner) {
    const GramLookup place = own.of_lane(owner);
    const std::uint32_t position = __shfl_sync(~0U, own_position, owner);
    for (std::uint32_t step = place.begin; step < place.end; step += 32 * kEntries) {
      const std::uint32_t i = step + kEntries * lane;
      const uint4 loaded = i < place.end ? load_entries(index, i) : uint4{};  // 0 never passes
      const std::uint32_t entries[kEntries] = {loaded.x, loaded.y, loaded.z, loaded.w};
#pragma unroll
      for (std::uint32_t n = 0; n < kEntries; ++n) {
        const bool pass = entry_passes(entries[n], place, index.near);
        const unsigned passing = __ballot_sync(~0U, pass);
        if (passing == 0) continue;
        if (pass) queue[waiting + __popc(passing & ((1U << lane) - 1))] = {i + n, position};
        waiting += __popc(passing);
        __syncwarp();
        if (waiting < 32) continue;
        waiting -= 32;
        const Passed mine = queue[waiting + lane];
        verify_for_mismatches(index, sink, mine.entry, mine.position);
        __syncwarp();
      }
    }
  }
  if (lane < waiting) verify_for_mismatches(index, sink, queue[lane].entry, queue[lane].position);
}

// Where gates let grams be looked up, among the 32 positions of a warp.
struct Open {
  std::uint8_t table, lane;
};

// Lists them, and returns how many there are. Each of the first lanes looks at the gate of a table.
__device__ __forceinline__ std::uint32_t list_open(const IndexView& index, const PackedView& text, std::uint32_t first,
                                                   std::uint32_t end, Open* list) {
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t open = 0;
  if (lane < index.tables) {
    open = static_cast<std::uint32_t>(open_positions(index.gates[lane], text, first));
    if (end - first < 32) open &= (1U << (end - first)) - 1;
  }
  std::uint32_t count = 0;
  for (std::uint32_t table = 0; table < index.tables; ++table) {
    const std::uint32_t of_table = __shfl_sync(~0U, open, table);
    if ((of_table >> lane & 1) != 0) {
      list[count + __popc(of_table & ((1U << lane) - 1))] = {static_cast<std::uint8_t>(table),
                                                             static_cast<std::uint8_t>(lane)};
    }
    count += __popc(of_table);
  }
  __syncwarp();
  return count;
}

// Looks up positions [begin, end) in tables with gates. A warp takes 32 positions, of which few are looked up, and
// shares out all their entries evenly.
__global__ void __launch_bounds__(kThreads)
    search_gated(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink,
                 std::uint32_t begin, std::uint32_t end) {
  __shared__ Open lists[kThreads / 32][32 * kMaxTables];
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kThreads + (threadIdx.x - lane);
  if (first >= end) return;  // all threads of a warp
  const auto at = static_cast<std::uint32_t>(first);
  const Open* const list = lists[threadIdx.x / 32];
  const std::uint32_t open = list_open(index, sink.text, at, end, lists[threadIdx.x / 32]);
  for (std::uint32_t taken = 0; taken < open; taken += 32) {
    GramLookup own{};
    std::uint32_t position = 0;
    if (taken + lane < open) {
      position = at + list[taken + lane].lane;
      own = look_up(index, sink.text, position, static_cast<std::uint32_t>(list[taken + lane].table) << 2 * index.gram);
    }
    const std::uint32_t count = (own.end - own.begin) / kEntries;
    const std::uint32_t sum = cuda::inclusive_sum(count, lane);
    const std::uint32_t all = __shfl_sync(~0U, sum, 31);
    for (std::uint32_t done = 0; done < all; done += 32) {
      const std::uint32_t number = done + lane;
      const std::uint32_t owner = cuda::owner_of(number, sum);
      const std::uint32_t before = __shfl_sync(~0U, sum - count, owner);
      const GramLookup place = own.of_lane(owner);
      const std::uint32_t place_position = __shfl_sync(~0U, position, owner);
      const std::uint32_t i = place.begin + (number - before) * kEntries;
      if (number < all) check(index, sink, place, place_position, i, load_entries(index, i));
    }
  }
}

// Looks up places [begin, end), see look_at(), in a table for edits. A warp takes 32 at a time and shares out all their
// entries evenly, since the comparison of one takes long.
__global__ void __launch_bounds__(kThreads)
    search_edits(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink,
                 std::uint64_t begin, std::uint64_t end) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t first = begin + std::uint64_t{blockIdx.x} * kThreads + (threadIdx.x - lane);
  if (first >= end) return;  // all threads of a warp
  Sides own{};
  std::uint32_t own_begin = 0;
  std::uint32_t count = 0;
  if (first + lane < end) {
    own = look_at(index, sink.text, first + lane);
    own_begin = __ldg(index.starts + own.key);
    count = __ldg(index.starts + own.key + 1) - own_begin;
  }
  const std::uint32_t sum = cuda::inclusive_sum(count, lane);
  const std::uint32_t all = __shfl_sync(~0U, sum, 31);
  for (std::uint32_t done = 0; done < all; done += 32) {
    const std::uint32_t number = done + lane;
    const std::uint32_t owner = cuda::owner_of(number, sum);
    const std::uint32_t owner_sum = __shfl_sync(~0U, sum - count, owner);
    const std::uint32_t owner_begin = __shfl_sync(~0U, own_begin, owner);
    const std::uint32_t left = __shfl_sync(~0U, own.left, owner);
    const std::uint32_t right = __shfl_sync(~0U, own.right, owner);
    const std::uint32_t i = owner_begin + number - owner_sum;
    const std::uint32_t entry = number < all ? __ldg(index.entries + i) : 0;
    const std::uint32_t text = (entry & kLeftSideOfEdits) != 0 ? left : right;
    if (entry != 0 && passes(entry, text, index.columns) != 0) verify_for_edits(index, sink, i, first + owner);
  }
}

}  // namespace
}  // namespace basesweep::neighbors
