// Objects of which each thread has one of its own.
#pragma once

#include <memory>

namespace basesweep {

struct ThreadObject {
  ThreadObject() = default;
  virtual ~ThreadObject() = default;
  ThreadObject(const ThreadObject&) = delete;
  ThreadObject& operator=(const ThreadObject&) = delete;

  ThreadObject* next = nullptr;  // of the same thread
};

// Deletes the object when the calling thread ends, after its thread_local objects. Throws std::bad_alloc.
void give_to_thread(ThreadObject* object);

// The calling thread's object of this type, which the first call makes. A thread_local object would do, but for glibc,
// which ends the program when it lacks memory to note that such an object has a destructor. This throws std::bad_alloc.
template <class T>
T& per_thread() {
  thread_local T* own = nullptr;
  if (own == nullptr) {
    struct Held final : ThreadObject {
      ~Held() override { own = nullptr; }
      T object{};
    };
    auto held = std::make_unique<Held>();
    give_to_thread(held.get());
    own = &held.release()->object;
  }
  return *own;
}

}  // namespace basesweep
