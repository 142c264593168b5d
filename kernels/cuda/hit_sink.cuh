// The one sink of all GPU kernels: drops what a batch does not own or what touches blocked columns, then appends or counts.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "lib/packed_batch.hpp"

namespace basesweep::cuda {

// Passed to kernels by value. A stored hit is column << entry_bits | entry, so that sorting looks at few bits.
struct DeviceSink {
  PackedView text;                // its pointers are the device's
  const std::uint32_t* lengths;   // of entries
  std::uint64_t* hits;            // room for `capacity`; null: count only
  std::uint64_t capacity;
  unsigned long long* found;      // hits so far, those past capacity too
  unsigned long long* counts;     // per entry, when hits is null
  unsigned entry_bits;

  // Whether the batch owns a match of `length` columns at `column` and none of them is blocked.
  __device__ bool accepts(std::uint32_t column, std::uint32_t length) const {
    if (column < text.own_begin || column >= text.own_end) return false;
    std::uint32_t low = 0;
    std::uint32_t high = text.blocked_count - 1;  // the last interval ends past every column
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (text.blocked[middle].end <= column) low = middle + 1;
      else high = middle;
    }
    return text.blocked[low].begin >= column + length;
  }

  // Call from any subset of a warp's threads; those that call together share one atomic.
  __device__ void append(std::uint32_t column, std::uint32_t entry) const {
    const unsigned active = __activemask();
    const unsigned lane = threadIdx.x & 31U;
    const int leader = __ffs(static_cast<int>(active)) - 1;
    unsigned long long base = 0;
    if (lane == static_cast<unsigned>(leader)) base = atomicAdd(found, static_cast<unsigned long long>(__popc(active)));
    base = __shfl_sync(active, base, leader);
    const std::uint64_t place = base + __popc(active & ((1U << lane) - 1));
    if (place < capacity) hits[place] = static_cast<std::uint64_t>(column) << entry_bits | entry;
  }

  __device__ void hit(std::uint32_t column, std::uint32_t entry) const {
    if (!accepts(column, lengths[entry])) return;
    if (hits == nullptr) {
      atomicAdd(counts + entry, 1ULL);
    } else {
      append(column, entry);
    }
  }

  // Bit i of `bits`: `entry` matches the planes at column + i.
  __device__ void word(std::uint32_t column, std::uint32_t entry, std::uint32_t bits) const {
    if (hits == nullptr) {
      unsigned n = 0;
      for (; bits != 0; bits &= bits - 1) n += accepts(column + __ffs(static_cast<int>(bits)) - 1, lengths[entry]);
      if (n != 0) atomicAdd(counts + entry, static_cast<unsigned long long>(n));
      return;
    }
    for (; bits != 0; bits &= bits - 1) hit(column + __ffs(static_cast<int>(bits)) - 1, entry);
  }
};

}  // namespace basesweep::cuda
