// The threads that drive a GPU: one for each slot, and a queue of jobs that wait for a slot.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace basesweep::cuda {

class SlotThreads {
 public:
  // Runs on the thread of `slot`. `broken`: why the slot could not be made, or null. Must not throw.
  using Job = std::function<void(int slot, const std::exception_ptr& broken)>;

  // Starts the threads. Each calls make(slot), one after the other. Jobs of a thread whose make() throws get the
  // exception as `broken`. But if memory suffices for some slots only, these do all the work. Throws std::system_error.
  SlotThreads(int count, std::function<void(int slot)> make);
  // Waits until all submitted jobs are done.
  ~SlotThreads() { end(); }
  SlotThreads(const SlotThreads&) = delete;
  SlotThreads& operator=(const SlotThreads&) = delete;

  // Thread-safe.
  void submit(Job job);

 private:
  void work(int slot);
  void end() noexcept;

  const std::function<void(int)> make_;
  std::mutex make_mutex_;
  int made_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace basesweep::cuda
