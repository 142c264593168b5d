// The properties of a GPU that launches depend on, and tables in its memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

struct Device {
  explicit Device(int gpu) {
    int bytes = 0;
    int all_bytes = 0;
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu));
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu));
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&all_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, gpu));
    shared_bytes = static_cast<std::size_t>(bytes);
    processor_shared_bytes = static_cast<std::size_t>(all_bytes);
  }

  // The number of blocks of `block_threads` threads for `threads` threads of work: at least 1, and at most
  // `blocks_per_processor` for each processor.
  std::uint32_t blocks_for(std::uint64_t threads, int block_threads, int blocks_per_processor) const {
    const std::uint64_t wanted = (threads + static_cast<unsigned>(block_threads) - 1) / block_threads;
    const auto max_blocks = static_cast<std::uint64_t>(processors) * static_cast<unsigned>(blocks_per_processor);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, max_blocks));
  }

  // Bytes of shared memory that a block can have if two share a processor.
  std::size_t shared_by_two() const { return processor_shared_bytes / 2 - kBlockBytes; }

  // Lets the kernel take as much shared memory as a block can have. The setting belongs to the whole process, so all
  // callers must give the same value.
  template <class Kernel>
  void allow_shared(Kernel kernel) const {
    BASESWEEP_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
  }

  static constexpr std::size_t kBlockBytes = 1024;  // of shared memory that CUDA takes for each block

  int processors = 1;
  std::size_t shared_bytes = 0;            // the most that a block can have
  std::size_t processor_shared_bytes = 0;  // for all blocks of a processor
};

// Owns copies of a room's tables on the device. Each is followed by kPadBytes of 0, so that it can be read in whole
// vectors.
class DeviceTables {
 public:
  static constexpr std::size_t kPadBytes = 64;

  // Copies a contiguous range, which may be empty, and returns its address on the device. The copy is complete for all
  // streams on return.
  template <class Range>
  auto put(const Range& values) {
    using T = std::remove_cv_t<std::remove_reference_t<decltype(*values.data())>>;
    const std::size_t bytes = values.size() * sizeof(T);
    DeviceBuffer<std::byte> buffer(bytes + kPadBytes);
    BASESWEEP_CUDA(cudaMemset(buffer.get() + bytes, 0, kPadBytes));
    if (bytes != 0) BASESWEEP_CUDA(cudaMemcpy(buffer.get(), values.data(), bytes, cudaMemcpyHostToDevice));
    // A copy from pageable memory may still be on its way to the device, and the slots' streams do not wait for it.
    BASESWEEP_CUDA(cudaStreamSynchronize(nullptr));
    const T* table = reinterpret_cast<const T*>(buffer.get());
    tables_.push_back(std::move(buffer));
    return table;
  }

 private:
  std::vector<DeviceBuffer<std::byte>> tables_;
};

}  // namespace basesweep::cuda
