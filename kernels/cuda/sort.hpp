// Sorts keys on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

// Queues sorting `count` keys by their bits [first_bit, end_bit). Returns where the result will be: `keys` or `other`,
// which has room for as many. `scratch` grows as needed.
std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int first_bit, int end_bit,
                         DeviceBuffer<std::byte>& scratch, cudaStream_t stream);

// How many bytes of scratch sort_keys() needs.
std::size_t sort_scratch_bytes(std::uint64_t count, int first_bit, int end_bit);
// The same; `scratch` is memory that has at least sort_scratch_bytes().
std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int first_bit, int end_bit,
                         std::byte* scratch, std::size_t scratch_bytes, cudaStream_t stream);

}  // namespace basesweep::cuda
