// The one sink of all GPU kernels: drops what a batch does not own or what touches blocked columns, then appends or
// counts.
//
// A kernel that counts in shared memory (Xu and others 2023, section 5.1) is launched with the sink that counting_in()
// gives and its shared_bytes(); the kernel's own begin at own_shared(). Its blocks call
// begin_block() first and end_block() last, with all threads. Other kernels count in the device's memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/append.cuh"
#include "lib/packed_batch.hpp"

namespace basesweep::cuda {

// Bytes of whole vectors of 16 bytes that hold so many.
constexpr __host__ __device__ std::uint32_t whole_vectors(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4));
}

// Passed to kernels by value. A stored hit is column << entry_bits | entry, so that sorting looks at few bits.
struct DeviceSink {
  PackedView text;               // its pointers are the device's
  const std::uint32_t* lengths;  // of entries
  std::uint64_t* hits;           // room for `capacity`; null: count only
  std::uint64_t capacity;
  unsigned long long* found;   // hits so far, those past capacity too
  unsigned long long* counts;  // per entry, when hits is null
  unsigned entry_bits;
  std::uint32_t entries;
  std::uint32_t shared_counters = 0;  // counters, one an entry, in a block's shared memory; 0: none
  std::uint32_t counters_at = 0;      // byte of the block's shared memory where they begin

  // The sink for a kernel that takes so many bytes of shared memory itself, of `most` that it may have.
  DeviceSink counting_in(std::size_t own_bytes, std::size_t most) const {
    DeviceSink sink = *this;
    sink.counters_at = whole_vectors(own_bytes);
    if (hits == nullptr && sink.counters_at + std::size_t{entries} * sizeof(std::uint32_t) <= most) {
      sink.shared_counters = entries;
    }
    return sink;
  }
  // Bytes of dynamic shared memory to launch with: the kernel's own and the counters.
  std::size_t shared_bytes() const { return counters_at + std::size_t{shared_counters} * sizeof(std::uint32_t); }

  // All dynamic shared memory is declared here, since declarations in several places would lie over one another.
  template <class T>
  __device__ static T* own_shared() {
    extern __shared__ uint4 block_shared[];
    return reinterpret_cast<T*>(block_shared);
  }
  __device__ std::uint32_t* block_counters() const {
    return reinterpret_cast<std::uint32_t*>(own_shared<char>() + counters_at);
  }
  __device__ void begin_block() const {
    if (shared_counters == 0) return;
    for (std::uint32_t e = threadIdx.x; e < shared_counters; e += blockDim.x) block_counters()[e] = 0;
    __syncthreads();
  }
  __device__ void end_block() const {
    if (shared_counters == 0) return;
    __syncthreads();
    for (std::uint32_t e = threadIdx.x; e < shared_counters; e += blockDim.x) {
      if (const std::uint32_t n = block_counters()[e]; n != 0)
        atomicAdd(counts + e, static_cast<unsigned long long>(n));
    }
  }

  // The first blocked interval that ends past `column`.
  __device__ Interval next_blocked(std::uint32_t column) const {
    std::uint32_t low = 0;
    std::uint32_t high = text.blocked_count - 1;  // the last interval ends past every column
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (text.blocked[middle].end <= column) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return text.blocked[low];
  }

  // Whether the batch owns a match of `length` columns at `column` and none of them is blocked.
  __device__ bool accepts(std::uint32_t column, std::uint32_t length) const {
    return column >= text.own_begin && column < text.own_end && next_blocked(column).begin >= column + length;
  }

  // Where the calling thread may store `count` hits.
  __device__ std::uint64_t reserve(std::uint32_t count) const { return reserve_places(found, count); }

  __device__ void store(std::uint64_t place, std::uint32_t column, std::uint32_t entry) const {
    if (place < capacity) hits[place] = static_cast<std::uint64_t>(column) << entry_bits | entry;
  }

  // Whether accepts() is true of all matches within these columns.
  __device__ bool accepts_all_within(std::uint32_t column, std::uint32_t columns) const {
    return column >= text.own_begin && column + columns <= text.own_end &&
           next_blocked(column).begin >= column + columns;
  }

  __host__ __device__ bool counts_only() const { return hits == nullptr; }

  __device__ void count(std::uint32_t entry, std::uint32_t n) const {
    if (n == 0) return;
    if (shared_counters != 0) {
      atomicAdd(block_counters() + entry, n);
    } else {
      atomicAdd(counts + entry, static_cast<unsigned long long>(n));
    }
  }

  __device__ void hit(std::uint32_t column, std::uint32_t entry) const {
    if (!accepts(column, lengths[entry])) return;
    if (counts_only()) {
      count(entry, 1);
    } else {
      store(reserve_place(found), column, entry);
    }
  }

  // Bit i of `bits`: `entry` matches the planes at column + i.
  __device__ void word(std::uint32_t column, std::uint32_t entry, std::uint32_t bits) const {
    const std::uint32_t length = lengths[entry];
    if (column < text.own_begin || column + 32 > text.own_end || next_blocked(column).begin < column + 31 + length) {
      for (std::uint32_t left = bits; left != 0; left &= left - 1) {
        const int i = __ffs(static_cast<int>(left)) - 1;
        if (!accepts(column + i, length)) bits &= ~(1U << i);
      }
    }
    const auto n = static_cast<std::uint32_t>(__popc(bits));
    if (counts_only()) return count(entry, n);
    for (std::uint64_t place = reserve(n); bits != 0; bits &= bits - 1) {
      store(place++, column + __ffs(static_cast<int>(bits)) - 1, entry);
    }
  }
};

}  // namespace basesweep::cuda
