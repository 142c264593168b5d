// Pinned host memory for the planes of batches, kept and reused.
#pragma once

#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <vector>

namespace basesweep::cuda {

// Pinning is slow (about 0.1 ms per megabyte), so the pool keeps memory that is given back for the next batch of the
// same size. Thread-safe.
class PinnedPool final : public std::pmr::memory_resource {
 public:
  explicit PinnedPool(int gpu) : gpu_(gpu) {}
  ~PinnedPool() override;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  const int gpu_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;  // by size
};

}  // namespace basesweep::cuda
