// Scratch memory of a thread, for scans that need a place for intermediate masks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace basesweep {

// At least `words` words, aligned to 64 bytes, of the calling thread's own; contents are not kept from call to call.
inline std::uint64_t* thread_scratch(std::size_t words) {
  struct Deleter {
    void operator()(std::uint64_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  thread_local std::unique_ptr<std::uint64_t[], Deleter> memory;
  thread_local std::size_t size = 0;
  if (size < words) {
    memory.reset(static_cast<std::uint64_t*>(::operator new[](words * sizeof(std::uint64_t), std::align_val_t{64})));
    size = words;
  }
  return memory.get();
}

}  // namespace basesweep
