// The sink of all GPU kernels. It drops occurrences that the batch does not own or that touch blocked positions, and
// stores or counts the others.
//
// A kernel that counts in shared memory (Xu and others 2023, section 5.1) is launched with the sink from counting_in()
// and with that sink's shared_bytes() of shared memory; the kernel's own part of it begins at own_shared(). All threads
// of a block call begin_block() first and end_block() last. Other kernels count in the device's memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/append.cuh"
#include "lib/search/packed_batch.hpp"

namespace basesweep::cuda {

// `bytes` rounded up to whole vectors of 16 bytes.
constexpr __host__ __device__ std::uint32_t whole_vectors(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4));
}

// Passed to kernels by value. All pointers are the device's. A stored occurrence is position << query_bits | query, so
// that sorting looks at few bits.
struct DeviceSink {
  PackedView text;
  const std::uint32_t* lengths;  // [queries], see sink_lengths()
  std::uint64_t* occurrences;    // [capacity]; null: count only
  std::uint64_t capacity;
  unsigned long long* found;   // occurrences so far, also those that did not fit
  unsigned long long* counts;  // [queries], if `occurrences` is null
  unsigned query_bits;         // bits of a query's number
  std::uint32_t queries;
  std::uint32_t shared_counters = 0;  // counters in a block's shared memory, one for each query; 0: none
  std::uint32_t counters_at = 0;      // byte of the block's shared memory where they begin

  // The sink for a kernel that itself takes `own_bytes` of shared memory and may have `max_bytes` with the counters.
  DeviceSink counting_in(std::size_t own_bytes, std::size_t max_bytes) const {
    DeviceSink sink = *this;
    sink.counters_at = whole_vectors(own_bytes);
    if (occurrences == nullptr && sink.counters_at + std::size_t{queries} * sizeof(std::uint32_t) <= max_bytes) {
      sink.shared_counters = queries;
    }
    return sink;
  }
  // Bytes of dynamic shared memory to launch with: the kernel's own and the counters.
  std::size_t shared_bytes() const { return counters_at + std::size_t{shared_counters} * sizeof(std::uint32_t); }

  // Dynamic shared memory is declared only here, since all declarations of it name the same memory.
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

  // Returns the first blocked interval that ends past `position`.
  __device__ Interval next_blocked(std::uint32_t position) const {
    std::uint32_t low = 0;
    std::uint32_t high = text.blocked_count - 1;  // the last interval ends past every position
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (text.blocked[middle].end <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return text.blocked[low];
  }

  // True if the batch owns `position` and none of the `length` positions from it on is blocked.
  __device__ bool accepts(std::uint32_t position, std::uint32_t length) const {
    return position >= text.own_begin && position < text.own_end && next_blocked(position).begin >= position + length;
  }

  // The first of `count` places that the calling thread may store occurrences in.
  __device__ std::uint64_t reserve(std::uint32_t count) const { return reserve_places(found, count); }

  __device__ void store(std::uint64_t place, std::uint32_t position, std::uint32_t query) const {
    if (place < capacity) occurrences[place] = static_cast<std::uint64_t>(position) << query_bits | query;
  }

  // True if accepts() is true of every occurrence within these positions.
  __device__ bool accepts_all_within(std::uint32_t position, std::uint32_t positions) const {
    return position >= text.own_begin && position + positions <= text.own_end &&
           next_blocked(position).begin >= position + positions;
  }

  __host__ __device__ bool counts_only() const { return occurrences == nullptr; }

  __device__ void count(std::uint32_t query, std::uint32_t n) const {
    if (n == 0) return;
    if (shared_counters != 0) {
      atomicAdd(block_counters() + query, n);
    } else {
      atomicAdd(counts + query, static_cast<unsigned long long>(n));
    }
  }

  __device__ void send(std::uint32_t position, std::uint32_t query) const {
    if (!accepts(position, lengths[query])) return;
    if (counts_only()) {
      count(query, 1);
    } else {
      store(reserve_place(found), position, query);
    }
  }

  // Sends an occurrence of `query` at position + i for each set bit i.
  __device__ void word(std::uint32_t position, std::uint32_t query, std::uint32_t bits) const {
    const std::uint32_t length = lengths[query];
    if (position < text.own_begin || position + 32 > text.own_end ||
        next_blocked(position).begin < position + 31 + length) {
      for (std::uint32_t left = bits; left != 0; left &= left - 1) {
        const int i = __ffs(static_cast<int>(left)) - 1;
        if (!accepts(position + i, length)) bits &= ~(1U << i);
      }
    }
    const auto n = static_cast<std::uint32_t>(__popc(bits));
    if (counts_only()) return count(query, n);
    for (std::uint64_t place = reserve(n); bits != 0; bits &= bits - 1) {
      store(place++, position + __ffs(static_cast<int>(bits)) - 1, query);
    }
  }
};

}  // namespace basesweep::cuda
