// Memory for large tables that are accessed at random.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace basesweep {

// Numbers that are 0 at first, in huge pages if the system has them: with small pages most accesses would miss the
// processor's TLB too. Uses mmap, since not every allocator can align memory to a huge page.
template <class T>
class HugeArray {
 public:
  HugeArray() = default;
  explicit HugeArray(std::size_t count) : mapped_bytes_(count * sizeof(T) + kPageBytes) {
    mapped_ = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    void* aligned = mapped_;
    std::size_t left = mapped_bytes_;
    numbers_ = static_cast<T*>(std::align(kPageBytes, count * sizeof(T), aligned, left));
    ::madvise(numbers_, left, MADV_HUGEPAGE);  // if it is refused, accesses are slower
  }
  ~HugeArray() {
    if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  }
  HugeArray(HugeArray&& other) noexcept
      : mapped_bytes_(other.mapped_bytes_), mapped_(std::exchange(other.mapped_, nullptr)), numbers_(other.numbers_) {}
  HugeArray& operator=(HugeArray&& other) noexcept {
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(numbers_, other.numbers_);
    return *this;
  }

  T* get() { return numbers_; }
  const T* get() const { return numbers_; }

 private:
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20;

  std::size_t mapped_bytes_ = 0;
  void* mapped_ = nullptr;
  T* numbers_ = nullptr;
};

}  // namespace basesweep
