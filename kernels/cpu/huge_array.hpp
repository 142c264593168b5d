// Memory for large tables that are accessed at random.
#pragma once

#include <cstddef>
#include <utility>

namespace basesweep {

// Bytes that are 0 at first, in huge pages if the system has them: with small pages most accesses would miss the
// processor's TLB too. Uses mmap, since not every allocator can align memory to a huge page.
class HugeMemory {
 public:
  HugeMemory() = default;
  // Throws std::bad_alloc. (Not here: sources without exceptions include this.)
  explicit HugeMemory(std::size_t bytes);
  ~HugeMemory();
  HugeMemory(HugeMemory&& other) noexcept { *this = std::move(other); }
  HugeMemory& operator=(HugeMemory&& other) noexcept {
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(aligned_, other.aligned_);
    return *this;
  }

  void* get() const { return aligned_; }

 private:
  std::size_t mapped_bytes_ = 0;
  void* mapped_ = nullptr;
  void* aligned_ = nullptr;
};

// Numbers in such memory.
template <class T>
class HugeArray {
 public:
  HugeArray() = default;
  explicit HugeArray(std::size_t count) : memory_(count * sizeof(T)) {}

  T* get() { return static_cast<T*>(memory_.get()); }
  const T* get() const { return static_cast<const T*>(memory_.get()); }

 private:
  HugeMemory memory_;
};

}  // namespace basesweep
