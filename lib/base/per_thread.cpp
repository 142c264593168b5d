#include "lib/base/per_thread.hpp"

#include <pthread.h>

#include <new>

namespace basesweep {
namespace {

void delete_all(void* first) {
  auto* object = static_cast<ThreadObject*>(first);
  while (object != nullptr) {
    ThreadObject* const next = object->next;
    delete object;
    object = next;
  }
}

class Key {
 public:
  Key() {
    if (pthread_key_create(&key_, delete_all) != 0) throw std::bad_alloc();
  }
  ~Key() { pthread_key_delete(key_); }
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;

  pthread_key_t get() const { return key_; }

 private:
  pthread_key_t key_{};
};

}  // namespace

void give_to_thread(ThreadObject* object) {
  static const Key key;
  object->next = static_cast<ThreadObject*>(pthread_getspecific(key.get()));
  if (pthread_setspecific(key.get(), object) != 0) throw std::bad_alloc();
}

}  // namespace basesweep
