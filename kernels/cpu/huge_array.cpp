#include "kernels/cpu/huge_array.hpp"

#include <sys/mman.h>

#include <memory>
#include <new>

namespace basesweep {
namespace {

constexpr std::size_t kPageBytes = std::size_t{2} << 20;

}  // namespace

HugeMemory::HugeMemory(std::size_t bytes) : mapped_bytes_(bytes + kPageBytes) {
  void* const mapped = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mapped_ = mapped;
  aligned_ = mapped;
  std::size_t left = mapped_bytes_;
  std::align(kPageBytes, bytes, aligned_, left);
  ::madvise(aligned_, left, MADV_HUGEPAGE);  // if it is refused, accesses are slower
}

HugeMemory::~HugeMemory() {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
}

}  // namespace basesweep
