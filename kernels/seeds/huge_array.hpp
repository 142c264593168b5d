// Memory for large tables that are accessed here and there.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace basesweep::seeds {

// Numbers without initial values, in huge pages where the system has them: with small ones most accesses would miss the
// processor's table of pages too.
template <class T>
class HugeArray {
 public:
  explicit HugeArray(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) / kPageBytes + 1) * kPageBytes;
    numbers_.reset(static_cast<T*>(std::aligned_alloc(kPageBytes, bytes)));
    if (numbers_ == nullptr) throw std::bad_alloc();
    ::madvise(numbers_.get(), bytes, MADV_HUGEPAGE);  // refused, it is slower, no more
  }
  T* get() { return numbers_.get(); }
  const T* get() const { return numbers_.get(); }

 private:
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20;
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> numbers_;
};

}  // namespace basesweep::seeds
