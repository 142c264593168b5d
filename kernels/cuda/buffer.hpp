// Owners of CUDA streams and memory. Buffers are move-only and uninitialised; they grow but never shrink.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "kernels/cuda/check.hpp"

namespace basesweep::cuda {

class Stream {
 public:
  // first: its kernels start before those of other streams that wait.
  enum class Turn { usual, first };

  explicit Stream(Turn turn = Turn::usual) {
    if (turn == Turn::usual) {
      BASESWEEP_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
      return;
    }
    int least = 0;
    int most = 0;
    BASESWEEP_CUDA(cudaDeviceGetStreamPriorityRange(&least, &most));
    BASESWEEP_CUDA(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most));
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void synchronize() const { BASESWEEP_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

struct DeviceMemory {
  // Throws OutOfMemory when the device has no more memory, or when the program would take more than the environment
  // variable BASESWEEP_GPU_MEMORY (bytes) allows.
  static void* allocate(std::size_t bytes);
  static void release(void* memory, std::size_t bytes) noexcept;
  // The bytes that the current device has free, as far as BASESWEEP_GPU_MEMORY allows: it holds for all `gpus`
  // together.
  static std::size_t free_bytes(std::size_t gpus);
};

struct PinnedMemory {
  // Throws OutOfMemory when the host cannot pin more.
  static void* allocate(std::size_t bytes);
  static void release(void* memory, std::size_t bytes) noexcept;
};

// An array of trivially copyable T. Growing drops the contents; if there is no memory to grow, the buffer stays as it
// is.
template <class T, class Memory>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { reserve(size); }
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  void reserve(std::size_t size) {
    if (size <= size_) return;
    T* larger = static_cast<T*>(Memory::allocate(size * sizeof(T)));
    release();
    data_ = larger;
    size_ = size;
  }
  T* get() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }

 private:
  void release() noexcept {
    if (data_ != nullptr) Memory::release(data_, size_ * sizeof(T));
    data_ = nullptr;
    size_ = 0;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
using DeviceBuffer = Buffer<T, DeviceMemory>;
template <class T>
using PinnedBuffer = Buffer<T, PinnedMemory>;

// Queues the copy of `count` items.
template <class T>
void queue_copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  BASESWEEP_CUDA(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream));
}

// Makes a device buffer that holds a copy of `values` (any contiguous range). It is complete for all streams on return.
template <class Range>
auto to_device(const Range& values) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(*values.data())>>;
  DeviceBuffer<T> buffer(values.size());
  if (values.size() != 0) {
    BASESWEEP_CUDA(cudaMemcpy(buffer.get(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    // A copy from pageable memory may still be on its way to the device, and the slots' streams do not wait for it.
    BASESWEEP_CUDA(cudaStreamSynchronize(nullptr));
  }
  return buffer;
}

}  // namespace basesweep::cuda
