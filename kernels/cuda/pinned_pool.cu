#include "kernels/cuda/pinned_pool.hpp"

#include <new>

#include "kernels/cuda/buffer.hpp"

namespace basesweep::cuda {

PinnedPool::~PinnedPool() {
  for (const auto& [bytes, blocks] : free_) {
    for (void* memory : blocks) PinnedMemory::release(memory, bytes);
  }
}

void* PinnedPool::do_allocate(std::size_t bytes, std::size_t) {
  {
    const std::lock_guard lock(mutex_);
    std::vector<void*>& blocks = free_[bytes];
    if (!blocks.empty()) {
      void* memory = blocks.back();
      blocks.pop_back();
      return memory;
    }
  }
  BASESWEEP_CUDA(cudaSetDevice(gpu_));
  return PinnedMemory::allocate(bytes);
}

void PinnedPool::do_deallocate(void* memory, std::size_t bytes, std::size_t) {
  const std::lock_guard lock(mutex_);
  try {
    free_[bytes].push_back(memory);
  } catch (const std::bad_alloc&) {
    PinnedMemory::release(memory, bytes);
  }
}

}  // namespace basesweep::cuda
