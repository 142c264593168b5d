// Scratch memory of a thread, for the intermediate masks of scans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace basesweep {

// Returns at least `words` 64-bit words, aligned to 64 bytes, that belong to the calling thread. The next call on this
// thread may free them.
inline std::uint64_t* thread_scratch(std::size_t words) {
  // These two have no destructors, so that the destructor of another thread_local object may still search.
  thread_local std::uint64_t* memory = nullptr;
  thread_local std::size_t size = 0;
  struct Release {
    ~Release() { free(); }
    static void free() {
      ::operator delete[](memory, std::align_val_t{64});
      memory = nullptr;
      size = 0;
    }
  };
  thread_local Release at_end;
  if (size < words) {
    Release::free();
    memory = static_cast<std::uint64_t*>(::operator new[](words * sizeof(std::uint64_t), std::align_val_t{64}));
    size = words;
  }
  return memory;
}

}  // namespace basesweep
