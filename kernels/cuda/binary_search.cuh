// Binary search by one thread.
#pragma once

#include <cuda_runtime.h>

namespace basesweep::cuda {

// The first number in [0, count) that is() holds for; `count` if there is none. is() holds for all numbers from some
// on.
template <class Number, class Is>
__device__ __forceinline__ Number first_that(Number count, const Is& is) {
  Number low = 0;
  for (Number high = count; low < high;) {
    const Number middle = low + (high - low) / 2;
    if (is(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace basesweep::cuda
