// Sorting of hits on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

// Queues sorting of the low `bits` bits of `count` keys; the result is in `keys` or `other` (room for as many),
// whichever is returned. `scratch` grows as needed.
std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int bits,
                         DeviceBuffer<std::byte>& scratch, cudaStream_t stream);

}  // namespace basesweep::cuda
