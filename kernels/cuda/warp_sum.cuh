// Sums over the threads of a warp, and work that is shared out by them.
#pragma once

#include <cuda_runtime.h>

namespace basesweep::cuda {

// The sum of the values of this and all lower threads of the warp. All its threads call this; `lane` is the thread's
// number in the warp.
template <class Number>
__device__ __forceinline__ Number inclusive_sum(Number value, unsigned lane) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const Number below = __shfl_up_sync(~0U, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// The thread of a warp whose range holds item `item`, where `through` is the number of items in the ranges of all
// threads up to the calling one. Some thread has it. All threads of the warp call this.
__device__ __forceinline__ unsigned owner_of(unsigned item, unsigned through) {
  unsigned owner = 0;  // all threads before it have smaller items
#pragma unroll
  for (unsigned step = 16; step != 0; step /= 2) {
    if (__shfl_sync(~0U, through, static_cast<int>(owner + step - 1)) <= item) owner += step;
  }
  return owner;
}

// The bits that any thread of the warp has. All its threads call this.
__device__ __forceinline__ unsigned bits_of_warp(unsigned bits) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0U, bits);
#else
#pragma unroll
  for (int distance = 16; distance != 0; distance /= 2) bits |= __shfl_xor_sync(~0U, bits, distance);
  return bits;
#endif
}

}  // namespace basesweep::cuda
