#include "kernels/cuda/buffer.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "kernels/cuda/gpu_memory.hpp"

namespace basesweep::cuda {
namespace {

std::atomic<std::size_t> used_bytes{0};

std::size_t allowed_bytes() {
  static const std::size_t allowed = allowed_gpu_bytes();
  return allowed;
}

}  // namespace

void* DeviceMemory::allocate(std::size_t bytes) {
  const std::size_t allowed = allowed_bytes();
  if (used_bytes.fetch_add(bytes) + bytes > allowed) {
    used_bytes -= bytes;
    throw OutOfMemory("GPU memory: " + std::to_string(bytes) +
                      " more bytes would exceed BASESWEEP_GPU_MEMORY=" + std::to_string(allowed));
  }
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, bytes);
  if (code == cudaSuccess) return memory;
  used_bytes -= bytes;
  cudaGetLastError();  // forgets the error, so that the check after the next launch does not find it
  if (code != cudaErrorMemoryAllocation) BASESWEEP_CUDA(code);
  throw OutOfMemory("GPU memory does not suffice: " + std::to_string(bytes) + " more bytes were needed");
}

void DeviceMemory::release(void* memory, std::size_t bytes) noexcept {
  cudaFree(memory);
  used_bytes -= bytes;
}

std::size_t DeviceMemory::free_bytes(std::size_t gpus) {
  std::size_t free = 0;
  std::size_t total = 0;
  BASESWEEP_CUDA(cudaMemGetInfo(&free, &total));
  const std::size_t used = used_bytes;
  return std::min(free, (allowed_bytes() - std::min(used, allowed_bytes())) / gpus);
}

void* PinnedMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
  if (code == cudaSuccess) return memory;
  cudaGetLastError();
  if (code != cudaErrorMemoryAllocation) BASESWEEP_CUDA(code);
  throw OutOfMemory("pinned memory does not suffice: " + std::to_string(bytes) + " more bytes were needed");
}

void PinnedMemory::release(void* memory, std::size_t) noexcept { cudaFreeHost(memory); }

}  // namespace basesweep::cuda
