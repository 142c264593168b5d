#include "lib/api/call.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

namespace basesweep {
namespace {

constexpr std::chrono::milliseconds kPause{50};

Progress progress_of(const CallOptions& call, const ProgressCounts& counts) {
  Progress progress;
  progress.bases = counts.bases;
  progress.hits = static_cast<std::uint64_t>(counts.hits.load());
  if (call.bytes) progress.bytes = call.bytes();
  if (progress.bytes) progress.bytes_read = call.bytes_read();
  return progress;
}

// Work on a thread of its own.
class Working {
 public:
  explicit Working(const std::function<void()>& work)
      : thread_([this, &work] {
          try {
            work();
          } catch (...) {
            error_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          ended_ = true;
          has_ended_.notify_all();
        }) {}
  ~Working() {
    if (thread_.joinable()) thread_.join();
  }

  // Waits a while; returns whether the work has ended.
  bool wait() {
    std::unique_lock lock(mutex_);
    return has_ended_.wait_for(lock, kPause, [this] { return ended_; });
  }
  // To be called once, in the end.
  void rethrow() {
    thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_ended_;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

int threads_of_call(int workers) {
  static std::atomic<int> most = 0;  // workers that this process could start
  if (workers <= most) return workers;
  const int given = affordable_threads(workers);
  if (given == workers) most = workers;
  return given;
}

void watch(const CallOptions& call, ProgressCounts& counts, const std::function<void()>& work) {
  if (!call.progress) return work();
  if (!call.progress(progress_of(call, counts))) throw Cancelled();
  Working working(work);
  std::exception_ptr thrown;
  while (!working.wait()) {
    if (counts.cancelled) continue;
    try {
      counts.cancelled = !call.progress(progress_of(call, counts));
    } catch (...) {
      thrown = std::current_exception();
      counts.cancelled = true;
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  working.rethrow();
  call.progress(progress_of(call, counts));
}

void watch(const CallOptions& call, ProgressCounts& counts, BatchSink& sink, const std::function<void()>& work) {
  watch(call, counts, [&] {
    try {
      work();
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      sink.finish_before_error();
      throw;
    }
    sink.finish();
  });
}

}  // namespace basesweep
