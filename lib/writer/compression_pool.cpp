#include "lib/writer/compression_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "lib/writer/bgzf_block.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBlocksPerThread = 4;

}  // namespace

CompressionPool::CompressionPool(int threads) : threads_(static_cast<std::size_t>(std::max(threads, 1))) {}

CompressionPool::~CompressionPool() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  pushed_.notify_all();
}

// They start with the first full block, since many outputs are small. If the system allows no more threads, those that
// have started, and the writing ones, do the work.
void CompressionPool::start_helpers() {
  if (threads_ == 1 || std::exchange(started_, true)) return;
  try {
    helpers_.reserve(threads_);
    while (helpers_.size() < threads_) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception&) {
  }
}

void CompressionPool::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    pushed_.wait(lock, [this] { return over_ || first_ != nullptr; });
    if (over_) return;
    compress_next(lock);
  }
}

CompressionPool::Block& CompressionPool::take_block() {
  const std::size_t most = threads_ == 1 ? 1 : kBlocksPerThread * threads_;
  std::unique_lock lock(mutex_);
  while (free_ == nullptr) {
    if (blocks_.size() < most) return *blocks_.emplace_back(std::make_unique_for_overwrite<Block>());
    if (first_ != nullptr) {
      compress_next(lock);
    } else {
      done_.wait(lock);
    }
  }
  return *std::exchange(free_, free_->next);
}

void CompressionPool::push(Stream& stream, Block& block) {
  std::unique_lock lock(mutex_);
  block.stream = &stream;
  block.next_in_stream = block.next = nullptr;
  block.done = false;
  (stream.first == nullptr ? stream.first : stream.last->next_in_stream) = &block;
  stream.last = &block;
  (first_ == nullptr ? first_ : last_->next) = &block;
  last_ = &block;
  if (block.text_size == kTextBytes) start_helpers();
  if (helpers_.empty()) wait_for(stream, lock);
  const std::exception_ptr error = stream.error;
  lock.unlock();
  pushed_.notify_one();
  if (error) std::rethrow_exception(error);
}

// To be called with the lock, which is open while the block is compressed.
void CompressionPool::compress_next(std::unique_lock<std::mutex>& lock) {
  Block& block = *std::exchange(first_, first_->next);
  Stream& stream = *block.stream;
  if (!stream.over) {
    lock.unlock();
    try {
      block.packed_size =
          compress_bgzf_block({block.text.data(), block.text_size}, stream.level, block.packed.data(), kPackedBytes);
    } catch (const std::bad_alloc&) {
      block.packed_size = 0;  // the block must be done, or its stream would wait for it for ever
    }
    block.failed = block.packed_size == 0;
    lock.lock();
  }
  block.done = true;
  if (!stream.handing_over) hand_over(stream, lock);
}

// Gives the sink those blocks that are next and compressed. Whatever thread finishes a block does so, since the thread
// that pushed it may be busy with other files for long, and would keep the block from them.
void CompressionPool::hand_over(Stream& stream, std::unique_lock<std::mutex>& lock) {
  stream.handing_over = true;
  while (stream.first != nullptr && stream.first->done) {
    Block& block = *stream.first;
    if (!stream.over) {
      std::exception_ptr error;
      lock.unlock();
      try {
        if (block.failed) throw std::bad_alloc();
        stream.sink({block.packed.data(), block.packed_size});
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) {
        stream.error = std::move(error);
        stream.over = true;
      }
    }
    stream.first = block.next_in_stream;
    block.next = std::exchange(free_, &block);
    done_.notify_all();
  }
  stream.handing_over = false;
  done_.notify_all();
}

void CompressionPool::wait_for(const Stream& stream, std::unique_lock<std::mutex>& lock) {
  while (stream.first != nullptr || stream.handing_over) {
    if (first_ != nullptr) {
      compress_next(lock);
    } else {
      done_.wait(lock);
    }
  }
}

void CompressionPool::finish(Stream& stream) {
  std::unique_lock lock(mutex_);
  wait_for(stream, lock);
  if (stream.error) std::rethrow_exception(stream.error);
}

void CompressionPool::drop(Stream& stream) noexcept {
  std::unique_lock lock(mutex_);
  stream.over = true;
  wait_for(stream, lock);
}

}  // namespace basesweep
