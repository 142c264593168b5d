// Keeps the first exception of the nodes of a graph; after it, their work is dropped.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

namespace basesweep {

// Thread-safe, except for rethrow(), which must wait until all work has ended.
class FirstError {
 public:
  // Does the work, unless something failed before. Does not throw.
  template <class Work>
  void guarded(Work work) {
    if (stopped_) return;
    try {
      work();
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    stopped_ = true;
  }

  bool stopped() const { return stopped_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace basesweep
