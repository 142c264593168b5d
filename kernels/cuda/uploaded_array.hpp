// Arrays that are copied to the device again and again.
#pragma once

#include <cstring>
#include <vector>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

// An array on the device, filled through pinned memory.
template <class T>
class UploadedArray {
 public:
  // Queues the copy. The stream must be done with the copy before.
  void upload(const std::vector<T>& from, cudaStream_t stream) {
    device_.reserve(from.size());
    pinned_.reserve(from.size());
    std::memcpy(pinned_.get(), from.data(), from.size() * sizeof(T));
    queue_copy(device_.get(), pinned_.get(), from.size(), cudaMemcpyHostToDevice, stream);
  }

  T* get() const { return device_.get(); }

 private:
  DeviceBuffer<T> device_;
  PinnedBuffer<T> pinned_;
};

}  // namespace basesweep::cuda
