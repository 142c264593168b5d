// Runs of text that several threads make side by side. Private to the reader.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "lib/reader/text_memory.hpp"
#include "lib/reader/text_piece.hpp"

namespace basesweep {

// One thread puts runs in at the back and takes those that are made from the front. Helpers make those between, and so
// does that thread when it must wait.
//
// A Run is a piece of text that a Run::Maker makes: `maker.make(run)` does not throw, and needs the memory that
// set_memory() gave. It has piece(), set_found() and clear().
template <class Run>
class RunQueue {
 public:
  struct Sizes {
    std::size_t slots;         // runs in the queue, with helpers
    std::size_t at_once;       // runs that a helper takes
    std::size_t memory_bytes;  // of a run's text
  };

  // `threads`: the number of helpers; with 1 there are none, and the calling thread makes all runs.
  RunQueue(int threads, const Sizes& shape) : threads_(static_cast<std::size_t>(std::max(threads, 1))) {
    reshape(shape);
  }
  ~RunQueue() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    pushed_.notify_all();
  }
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // To be called before the first push().
  void reshape(const Sizes& shape) {
    at_once_ = shape.at_once;
    memory_.emplace(shape.memory_bytes);
    slots_ = std::vector<QueuedRun>(threads_ > 1 ? shape.slots : 1);
  }
  // Has helpers find records in the runs that no thread has started.
  void find_records(RecordFinder finder) {
    const std::lock_guard lock(mutex_);
    finder_ = std::make_shared<const RecordFinder>(std::move(finder));
  }

  bool empty() const { return front_ == back_; }
  bool full() const { return back_ - front_ == (handed_out_ ? slots_.size() : 1); }
  // Whether front() need not wait; false when the queue is empty.
  bool ready() {
    const std::lock_guard lock(mutex_);
    return !empty() && slot(front_).done;
  }

  // The run to set up, unless the queue is full. push() then puts it in.
  Run& back() { return slot(back_).run; }
  void push() {
    start_helpers();
    back().set_memory(memory_->take());  // not later, since helpers must not throw
    {
      const std::lock_guard lock(mutex_);
      slot(back_++).done = false;
      if (idle_ == 0 || back_ - next_ < at_once_) return;
    }
    pushed_.notify_one();
  }
  // The first run, made, unless the queue is empty.
  Run& front() {
    std::unique_lock lock(mutex_);
    while (!slot(front_).done) {
      if (next_ != back_) {
        make_some(lock, maker_, 1, false);
      } else {
        waiting_ = true;
        done_.wait(lock);
        waiting_ = false;
      }
    }
    return slot(front_).run;
  }
  void pop() {
    slot(front_).run.clear();
    ++front_;
    handed_out_ = true;
  }
  // Drops all runs.
  void clear() {
    std::unique_lock lock(mutex_);
    back_ = next_;  // no thread has started the others
    waiting_ = true;
    for (; front_ != back_; ++front_) done_.wait(lock, [this] { return slot(front_).done; });
    waiting_ = false;
    for (QueuedRun& one : slots_) one.run.clear();
  }

 private:
  using Maker = typename Run::Maker;
  struct QueuedRun {
    Run run;
    bool done = false;
  };
  QueuedRun& slot(std::size_t number) { return slots_[number % slots_.size()]; }

  // They start with the second run, since a file may be opened only to see what it is.
  void start_helpers() {
    if (threads_ == 1 || !helpers_.empty() || !handed_out_) return;
    helpers_.reserve(threads_);
    try {
      while (helpers_.size() < threads_)
        helpers_.emplace_back([this, maker = std::make_unique<Maker>()] { help(*maker); });
    } catch (const std::system_error&) {
      // The system allows no more threads; those that have started, and the reading one, do the work.
      threads_ = std::max<std::size_t>(helpers_.size(), 1);
    }
  }

  void help(Maker& maker) {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      pushed_.wait(lock, [this] { return over_ || next_ != back_; });
      --idle_;
      if (over_) return;
      make_some(lock, maker, at_once_, true);
    }
  }

  // To be called with the lock, which is open while runs are made. `find`: finds records in them too.
  void make_some(std::unique_lock<std::mutex>& lock, Maker& maker, std::size_t count, bool find) {
    const std::size_t begin = next_, end = std::min(back_, begin + count);
    next_ = end;
    const std::shared_ptr<const RecordFinder> finder = find ? finder_ : nullptr;
    lock.unlock();
    for (std::size_t number = begin; number != end; ++number) {
      Run& run = slot(number).run;
      maker.make(run);
      if (finder == nullptr) continue;
      try {
        run.set_found((*finder)(run.piece().text()));
      } catch (const std::bad_alloc&) {
        // The thread that cuts the text finds them.
      }
    }
    lock.lock();
    for (std::size_t number = begin; number != end; ++number) slot(number).done = true;
    if (waiting_) done_.notify_one();
  }

  std::size_t threads_;
  std::size_t at_once_ = 1;
  std::optional<TextMemoryPool> memory_;
  // Numbers of runs: front_ <= next_ <= back_. The runs from next_ on are still to be made.
  std::vector<QueuedRun> slots_;
  std::size_t front_ = 0;
  std::size_t back_ = 0;
  std::size_t next_ = 0;
  bool handed_out_ = false;  // a run was popped; before, nobody may want more than the first
  std::size_t idle_ = 0;     // helpers
  bool waiting_ = false;     // for the first run
  bool over_ = false;
  std::shared_ptr<const RecordFinder> finder_;
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::condition_variable done_;
  Maker maker_;  // of the thread that takes runs
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
