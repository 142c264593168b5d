#include "lib/pipeline/workers.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace basesweep {
namespace {

constexpr std::chrono::milliseconds kMaxWait{100};

// Counts those that have come; each waits for all.
class Meeting {
 public:
  explicit Meeting(int expected) : expected_(expected) {}

  void come() {
    std::unique_lock lock(mutex_);
    ++come_;
    if (come_ >= expected_) all_have_come_.notify_all();
    wait(lock);
  }
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    wait(lock);
  }

 private:
  void wait(std::unique_lock<std::mutex>& lock) {
    all_have_come_.wait_for(lock, kMaxWait, [this] { return come_ >= expected_; });
  }

  const int expected_;
  int come_ = 0;
  std::mutex mutex_;
  std::condition_variable all_have_come_;
};

}  // namespace

void start_workers(tbb::task_arena& arena, int threads) {
  static std::atomic<int> started = 0;
  if (threads <= started) return;
  // A worker takes one task, since it waits in it.
  const auto meeting = std::make_shared<Meeting>(threads);
  for (int i = 0; i < threads; ++i) arena.enqueue([meeting] { meeting->come(); });
  meeting->wait_for_all();
  started = threads;
}

void on_workers(int threads, const std::function<void()>& work) {
  const Workers workers(threads);
  tbb::task_arena arena(threads, 0);
  start_workers(arena, threads);
  arena.execute(work);
}

}  // namespace basesweep
