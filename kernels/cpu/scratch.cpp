#include "kernels/cpu/scratch.hpp"

#include <new>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

constexpr std::align_val_t kAlignment{64};

struct Scratch {
  Scratch() = default;
  ~Scratch() { ::operator delete[](memory, kAlignment); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::uint64_t* memory = nullptr;
  std::size_t size = 0;
};

}  // namespace

std::uint64_t* thread_scratch(std::size_t words) {
  Scratch& scratch = per_thread<Scratch>();
  if (scratch.size < words) {
    ::operator delete[](scratch.memory, kAlignment);
    scratch.memory = nullptr;
    scratch.size = 0;
    scratch.memory = static_cast<std::uint64_t*>(::operator new[](words * sizeof(std::uint64_t), kAlignment));
    scratch.size = words;
  }
  return scratch.memory;
}

}  // namespace basesweep
