// Sums over the threads of a warp.
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

}  // namespace basesweep::cuda
