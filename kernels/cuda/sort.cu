#include <cub/device/device_radix_sort.cuh>

#include "kernels/cuda/sort.hpp"

namespace basesweep::cuda {

std::uint64_t* sort_keys(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, int first_bit, int end_bit,
                         DeviceBuffer<std::byte>& scratch, cudaStream_t stream) {
  cub::DoubleBuffer<std::uint64_t> buffers(keys, other);
  std::size_t bytes = 0;
  BASESWEEP_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffers, count, first_bit, end_bit, stream));
  scratch.reserve(bytes);
  BASESWEEP_CUDA(cub::DeviceRadixSort::SortKeys(scratch.get(), bytes, buffers, count, first_bit, end_bit, stream));
  return buffers.Current();
}

}  // namespace basesweep::cuda
