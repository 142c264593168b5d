// Appends to lists on the device from many threads.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace basesweep::cuda {

// Adds `count` places to a list of *size items, and returns the index of the first, which the calling thread may fill.
// May be called by any subset of a warp's threads; those that call together share one atomic.
__device__ inline std::uint64_t reserve_places(unsigned long long* size, std::uint32_t count) {
  const unsigned active = __activemask();
  const unsigned lane = threadIdx.x & 31U;
  const unsigned below = (1U << lane) - 1;
  std::uint32_t before = 0;
  std::uint32_t total = 0;
  for (std::uint32_t bit = 0; __any_sync(active, count >> bit != 0); ++bit) {
    const unsigned have = __ballot_sync(active, (count >> bit & 1) != 0);
    before += static_cast<std::uint32_t>(__popc(have & below)) << bit;
    total += static_cast<std::uint32_t>(__popc(have)) << bit;
  }
  const int leader = __ffs(static_cast<int>(active)) - 1;
  unsigned long long base = 0;
  if (lane == static_cast<unsigned>(leader)) base = atomicAdd(size, static_cast<unsigned long long>(total));
  return __shfl_sync(active, base, leader) + before;
}

// The same for one item of each thread.
__device__ inline std::uint64_t reserve_place(unsigned long long* size) {
  const unsigned active = __activemask();
  const unsigned lane = threadIdx.x & 31U;
  const int leader = __ffs(static_cast<int>(active)) - 1;
  unsigned long long base = 0;
  if (lane == static_cast<unsigned>(leader)) base = atomicAdd(size, static_cast<unsigned long long>(__popc(active)));
  return __shfl_sync(active, base, leader) + __popc(active & ((1U << lane) - 1));
}

}  // namespace basesweep::cuda
