#include "kernels/cuda/slot_threads.hpp"

#include <utility>

#include "kernels/cuda/check.hpp"

namespace basesweep::cuda {

SlotThreads::SlotThreads(int count, std::function<void(int)> make) : make_(std::move(make)) {
  try {
    for (int slot = 0; slot < count; ++slot) threads_.emplace_back([this, slot] { work(slot); });
  } catch (...) {
    end();
    throw;
  }
}

void SlotThreads::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void SlotThreads::submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void SlotThreads::work(int slot) {
  std::exception_ptr broken;
  {
    const std::lock_guard making(make_mutex_);
    {
      const std::lock_guard lock(mutex_);
      if (ending_ && jobs_.empty()) return;
    }
    try {
      make_(slot);
      ++made_;
    } catch (const OutOfMemory&) {
      if (made_ != 0) return;
      broken = std::current_exception();
    } catch (...) {
      broken = std::current_exception();
    }
  }
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job(slot, broken);
  }
}

}  // namespace basesweep::cuda
