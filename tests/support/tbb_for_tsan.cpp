// Makes oneTBB's synchronisation visible to ThreadSanitizer, which otherwise reports false data races: Debian's oneTBB
// is built without it. Nearly all locking of a flow graph is in headers and therefore instrumented with our code. The
// library itself hands tasks from thread to thread, waits, and recycles memory. This file wraps those entry points:
// definitions in the executable take precedence over the library's, which dlsym finds. Only for builds with
// -fsanitize=thread.
#include <dlfcn.h>
#include <oneapi/tbb/flow_graph.h>

#include <cstdlib>

extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);

namespace {

using namespace tbb::detail;

// Stands for a submitted task. It runs in the thread that takes the task.
class Handover final : public d1::task {
 public:
  explicit Handover(d1::task& task) : task_(task) { __tsan_release(this); }

  d1::task* execute(d1::execution_data& data) override {
    d1::task& task = take();
    return task.execute(data);
  }
  d1::task* cancel(d1::execution_data& data) override {
    d1::task& task = take();
    return task.cancel(data);
  }

 private:
  d1::task& take() {
    __tsan_acquire(this);
    d1::task& task = task_;
    delete this;
    return task;
  }

  d1::task& task_;
};

// Stands for the function passed to task_arena::execute(), which may run in another thread.
class Execution final : public d1::delegate_base {
 public:
  explicit Execution(d1::delegate_base& work) : work_(work) { __tsan_release(this); }

  bool operator()() const override {
    __tsan_acquire(const_cast<Execution*>(this));
    const bool result = work_();
    __tsan_release(const_cast<Execution*>(this));
    return result;
  }

 private:
  d1::delegate_base& work_;
};

// The counter of what is waited for was last changed by the awaited work.
void acquire_counter(d1::wait_context& what) { __tsan_acquire(reinterpret_cast<char*>(&what) + sizeof(std::uint64_t)); }

template <class Function>
Function* library_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace tbb::detail::r1 {

void submit(d1::task& task, d1::task_group_context& context, arena* where, std::uintptr_t as_critical) {
  using Submit = void(d1::task&, d1::task_group_context&, arena*, std::uintptr_t);
  static auto* const real =
      library_function<Submit>("_ZN3tbb6detail2r16submitERNS0_2d14taskERNS2_18task_group_contextEPNS1_5arenaEm");
  real(*new Handover(task), context, where, as_critical);
}

void enqueue(d1::task& task, d1::task_arena_base* arena) {
  using Enqueue = void(d1::task&, d1::task_arena_base*);
  static auto* const real =
      library_function<Enqueue>("_ZN3tbb6detail2r17enqueueERNS0_2d14taskEPNS2_15task_arena_baseE");
  real(*new Handover(task), arena);
}

// parallel_for() hands over parts of its range by these two.
void spawn(d1::task& task, d1::task_group_context& context) {
  using Spawn = void(d1::task&, d1::task_group_context&);
  static auto* const real = library_function<Spawn>("_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE");
  real(*new Handover(task), context);
}

void spawn(d1::task& task, d1::task_group_context& context, d1::slot_id slot) {
  using Spawn = void(d1::task&, d1::task_group_context&, d1::slot_id);
  static auto* const real =
      library_function<Spawn>("_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt");
  real(*new Handover(task), context, slot);
}

void wait(d1::wait_context& what, d1::task_group_context& context) {
  using Wait = void(d1::wait_context&, d1::task_group_context&);
  static auto* const real =
      library_function<Wait>("_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE");
  real(what, context);
  acquire_counter(what);
}

void execute_and_wait(d1::task& task, d1::task_group_context& context, d1::wait_context& what,
                      d1::task_group_context& waiting) {
  using ExecuteAndWait = void(d1::task&, d1::task_group_context&, d1::wait_context&, d1::task_group_context&);
  static auto* const real = library_function<ExecuteAndWait>(
      "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_");
  real(task, context, what, waiting);
  acquire_counter(what);
}

void execute(d1::task_arena_base& arena, d1::delegate_base& work) {
  using Execute = void(d1::task_arena_base&, d1::delegate_base&);
  static auto* const real =
      library_function<Execute>("_ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE");
  Execution execution(work);
  real(arena, execution);
  __tsan_acquire(&execution);
}

void* allocate(d1::small_object_pool*& pool, std::size_t bytes) {
  static char no_pool;
  pool = reinterpret_cast<d1::small_object_pool*>(&no_pool);
  return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
}

void* allocate(d1::small_object_pool*& pool, std::size_t bytes, const d1::execution_data&) {
  return allocate(pool, bytes);
}

void deallocate(d1::small_object_pool&, void* memory, std::size_t) { std::free(memory); }
void deallocate(d1::small_object_pool&, void* memory, std::size_t, const d1::execution_data&) { std::free(memory); }

}  // namespace tbb::detail::r1
