#include "lib/reader/bgzf_queue.hpp"

#include <algorithm>
#include <memory>
#include <system_error>

namespace basesweep {
namespace {

constexpr std::size_t kBlocksPerThread = 16;
constexpr std::size_t kBlocksAtOnce = 4;  // that a helper takes, since waking it costs as much as some 10 KiB of text

}  // namespace

BgzfQueue::BgzfQueue(int threads)
    : slots_(threads > 1 ? kBlocksPerThread * static_cast<std::size_t>(threads) : 1),
      threads_(static_cast<std::size_t>(std::max(threads, 1))) {}

BgzfQueue::~BgzfQueue() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  pushed_.notify_all();
}

// They start with the first block, since a file may be opened only to see what it is.
void BgzfQueue::start_helpers() {
  if (threads_ == 1 || !helpers_.empty()) return;
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
    inflate_some(lock, inflater, kBlocksAtOnce);
  }
}

// To be called with the lock, which is open while the block is inflated.
void BgzfQueue::inflate_some(std::unique_lock<std::mutex>& lock, BgzfInflater& inflater, std::size_t count) {
  const std::size_t begin = next_, end = std::min(back_, begin + count);
  next_ = end;
  lock.unlock();
  for (std::size_t number = begin; number != end; ++number) inflater.inflate(slot(number).block);
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
  back().inflated.resize(BgzfBlock::kMaxBytes);  // not later, since helpers must not throw
  {
    const std::lock_guard lock(mutex_);
    slot(back_++).done = false;
    if (idle_ == 0 || back_ - next_ < kBlocksAtOnce) return;
  }
  pushed_.notify_one();
}

const BgzfBlock& BgzfQueue::front() {
  std::unique_lock lock(mutex_);
  while (!slot(front_).done) {
    if (next_ != back_) {
      inflate_some(lock, inflater_, 1);
    } else {
      waiting_ = true;
      done_.wait(lock);
      waiting_ = false;
    }
  }
  return slot(front_).block;
}

void BgzfQueue::pop() { ++front_; }

void BgzfQueue::clear() {
  std::unique_lock lock(mutex_);
  back_ = next_;  // nobody has begun with the others
  waiting_ = true;
  for (; front_ != back_; ++front_) done_.wait(lock, [this] { return slot(front_).done; });
  waiting_ = false;
}

}  // namespace basesweep
