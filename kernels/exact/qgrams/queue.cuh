// A warp's queue of positions, from which each of its threads takes one at a time.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/warp_sum.cuh"

namespace basesweep::qgrams {

inline constexpr unsigned kAll = ~0U;  // threads of a warp

// Positions that wait until a warp has one for each thread.
template <std::uint32_t kCapacity>
struct Queue {
  std::uint32_t positions[kCapacity];
};

// The positions that a thread found: base + i * kStride for each set bit i.
template <std::uint32_t kStride>
struct Found {
  std::uint32_t bits;
  std::uint32_t base;

  __device__ std::uint32_t next() {
    const int i = 31 - __clz(static_cast<int>(bits));
    bits ^= 1U << i;
    return base + static_cast<std::uint32_t>(i) * kStride;
  }
};

// Puts what the threads of a warp found on its queue. `waiting` is the number of positions in the queue, fewer than 32
// before the call. Positions that find no room stay in `found`.
template <std::uint32_t kCapacity, std::uint32_t kStride, int kParts>
__device__ __forceinline__ void put(Queue<kCapacity>& queue, std::uint32_t& waiting, Found<kStride> (&found)[kParts]) {
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t mine = 0;
#pragma unroll
  for (int p = 0; p < kParts; ++p) mine += __popc(found[p].bits);
  const std::uint32_t through = cuda::inclusive_sum(mine, lane);
  const std::uint32_t total = __shfl_sync(kAll, through, 31);
  if (waiting + total <= kCapacity) {
    std::uint32_t* to = queue.positions + waiting + through - mine;
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      while (found[p].bits != 0) *to++ = found[p].next();
    }
    waiting += total;
  } else {  // too many at once: take one from each thread
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      const bool has = found[p].bits != 0;
      const unsigned have = __ballot_sync(kAll, has);
      if (has) queue.positions[waiting + __popc(have & ((1U << lane) - 1))] = found[p].next();
      waiting += __popc(have);
    }
  }
  __syncwarp();
}

// Takes a position for each thread off a warp's queue. Returns false for threads that got none.
template <std::uint32_t kCapacity>
__device__ __forceinline__ bool take(Queue<kCapacity>& queue, std::uint32_t& waiting, std::uint32_t& position) {
  const std::uint32_t left = waiting > 32 ? waiting - 32 : 0;
  const std::uint32_t place = left + threadIdx.x % 32;
  const bool has = place < waiting;
  if (has) position = queue.positions[place];
  __syncwarp();
  waiting = left;
  return has;
}

}  // namespace basesweep::qgrams
