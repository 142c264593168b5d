#include <cub/device/device_radix_sort.cuh>

#include "kernels/cuda/sort.hpp"

namespace basesweep::cuda {

std::size_t sort_scratch_bytes(std::uint64_t count, int first_bit, int end_bit) {
  cub::DoubleBuffer<std::uint64_t> none;
  std::size_t bytes = 0;
  BASESWEEP_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, none, count, first_bit, end_bit));
  return bytes;
}

std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int first_bit, int end_bit,
                         std::byte* scratch, std::size_t scratch_bytes, cudaStream_t stream) {
  cub::DoubleBuffer<std::uint64_t> buffers(keys, other);
  BASESWEEP_CUDA(cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes, buffers, count, first_bit, end_bit, stream));
  return buffers.Current();
}

std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int first_bit, int end_bit,
                         DeviceBuffer<std::byte>& scratch, cudaStream_t stream) {
  const std::size_t bytes = sort_scratch_bytes(count, first_bit, end_bit);
  scratch.reserve(bytes);
  return sort_keys(keys, other, count, first_bit, end_bit, scratch.get(), bytes, stream);
}

}  // namespace basesweep::cuda
