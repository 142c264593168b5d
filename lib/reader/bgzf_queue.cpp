#include "lib/reader/bgzf_queue.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace basesweep {
namespace {

constexpr std::size_t kBlocksPerThread = 16;
constexpr std::size_t kBlocksAtOnce = 4;  // that a helper takes, since waking it costs as much as some 10 KiB of text
constexpr std::size_t kRunsPerThread = 2;

}  // namespace

BgzfQueue::BgzfQueue(int threads)
    : threads_(static_cast<std::size_t>(std::max(threads, 1))),
      runs_at_once_(kBlocksAtOnce),
      slots_(threads > 1 ? kBlocksPerThread * threads_ : 1) {
  memory_.emplace(BgzfRun::memory_bytes(run_bytes_));
}

BgzfQueue::~BgzfQueue() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  pushed_.notify_all();
}

void BgzfQueue::take_runs(std::size_t bytes) {
  run_bytes_ = bytes;
  runs_at_once_ = 1;
  memory_.emplace(BgzfRun::memory_bytes(bytes));
  slots_ = std::vector<Slot>(threads_ > 1 ? kRunsPerThread * threads_ + 1 : 1);
}

void BgzfQueue::find_records(RecordFinder finder) {
  const std::lock_guard lock(mutex_);
  finder_ = std::make_shared<const RecordFinder>(std::move(finder));
}

// They start with the second run, since a file may be opened only to see what it is.
void BgzfQueue::start_helpers() {
  if (threads_ == 1 || !helpers_.empty() || !handed_out_) return;
  helpers_.reserve(threads_);
  try {
    while (helpers_.size() < threads_)
      helpers_.emplace_back([this, inflater = std::make_unique<BgzfInflater>()] { help(*inflater); });
  } catch (const std::system_error&) {
    // The system allows no more threads; those that have started, and the reading one, do the work.
    threads_ = std::max<std::size_t>(helpers_.size(), 1);
  }
}

void BgzfQueue::help(BgzfInflater& inflater) {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    pushed_.wait(lock, [this] { return over_ || next_ != back_; });
    --idle_;
    if (over_) return;
    inflate_some(lock, inflater, runs_at_once_, true);
  }
}

// To be called with the lock, which is open while runs are inflated. `find`: finds records in them too.
void BgzfQueue::inflate_some(std::unique_lock<std::mutex>& lock, BgzfInflater& inflater, std::size_t count, bool find) {
  const std::size_t begin = next_, end = std::min(back_, begin + count);
  next_ = end;
  const std::shared_ptr<const RecordFinder> finder = find ? finder_ : nullptr;
  lock.unlock();
  for (std::size_t number = begin; number != end; ++number) {
    BgzfRun& run = slot(number).run;
    inflater.inflate(run);
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

bool BgzfQueue::ready() {
  const std::lock_guard lock(mutex_);
  return !empty() && slot(front_).done;
}

void BgzfQueue::push() {
  start_helpers();
  back().set_memory(memory_->take());  // not later, since helpers must not throw
  {
    const std::lock_guard lock(mutex_);
    slot(back_++).done = false;
    if (idle_ == 0 || back_ - next_ < runs_at_once_) return;
  }
  pushed_.notify_one();
}

BgzfRun& BgzfQueue::front() {
  std::unique_lock lock(mutex_);
  while (!slot(front_).done) {
    if (next_ != back_) {
      inflate_some(lock, inflater_, 1, false);
    } else {
      waiting_ = true;
      done_.wait(lock);
      waiting_ = false;
    }
  }
  return slot(front_).run;
}

void BgzfQueue::pop() {
  slot(front_).run.clear();
  ++front_;
  handed_out_ = true;
}

void BgzfQueue::clear() {
  std::unique_lock lock(mutex_);
  back_ = next_;  // nobody has begun with the others
  waiting_ = true;
  for (; front_ != back_; ++front_) done_.wait(lock, [this] { return slot(front_).done; });
  waiting_ = false;
  for (Slot& one : slots_) one.run.clear();
}

}  // namespace basesweep
