#include "lib/writer/bgzf_writer.hpp"

#include <htslib/bgzf.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace basesweep {
namespace {

constexpr std::size_t kBlocksPerThread = 4;

// Compresses `text` to `to`, which has room for `size` bytes, and sets `size`. False when there is no memory.
bool pack(std::string_view text, char* to, std::size_t& size, int level) {
  return bgzf_compress(to, &size, text.data(), text.size(), level) == 0;
}

}  // namespace

// One more slot than blocks that wait, for the one that is being filled.
BgzfWriter::BgzfWriter(int threads, Sink sink, int level)
    : slots_(threads > 1 ? kBlocksPerThread * static_cast<std::size_t>(threads) + 1 : 2),
      sink_(std::move(sink)),
      level_(level),
      threads_(static_cast<std::size_t>(std::max(threads, 1))) {}

BgzfWriter::~BgzfWriter() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  pushed_.notify_all();
}

// They start with the first full block, since many outputs are small.
void BgzfWriter::start_helpers() {
  if (threads_ == 1 || !helpers_.empty()) return;
  helpers_.reserve(threads_);
  try {
    while (helpers_.size() < threads_) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // The system allows no more threads; those that have started, and the writing one, do the work.
    threads_ = std::max<std::size_t>(helpers_.size(), 1);
  }
}

void BgzfWriter::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    pushed_.wait(lock, [this] { return over_ || next_ != back_; });
    if (over_) return;
    pack_next(lock);
  }
}

// To be called with the lock, which is open while the block is compressed.
void BgzfWriter::pack_next(std::unique_lock<std::mutex>& lock) {
  Slot& own = slot(next_++);
  lock.unlock();
  own.packed_size = kPackedBytes;
  own.failed = !pack({own.text.data(), own.text_size}, own.packed.data(), own.packed_size, level_);
  lock.lock();
  own.done = true;
  done_.notify_one();
}

bool BgzfWriter::ready() {
  const std::lock_guard lock(mutex_);
  return front_ != back_ && slot(front_).done;
}

// Waits for the first block and gives it to the sink.
void BgzfWriter::hand_over() {
  {
    std::unique_lock lock(mutex_);
    while (!slot(front_).done) {
      if (next_ != back_) {
        pack_next(lock);
      } else {
        done_.wait(lock);
      }
    }
  }
  Slot& first = slot(front_++);
  if (first.failed) throw std::bad_alloc();
  sink_({first.packed.data(), first.packed_size});
  first.done = false;
  first.text_size = 0;
}

// Lets the block that was being filled be compressed, and makes room for the next.
void BgzfWriter::push() {
  {
    const std::lock_guard lock(mutex_);
    ++back_;
  }
  pushed_.notify_one();
  while (ready()) hand_over();
  if (back_ - front_ + 1 == slots_.size()) hand_over();
}

void BgzfWriter::write(std::string_view text) {
  while (!text.empty()) {
    Slot& last = slot(back_);
    const std::size_t size = std::min(text.size(), kTextBytes - last.text_size);
    std::copy_n(text.data(), size, last.text.data() + last.text_size);
    last.text_size += size;
    text.remove_prefix(size);
    if (last.text_size < kTextBytes) return;
    start_helpers();
    push();
  }
}

void BgzfWriter::finish() {
  if (slot(back_).text_size > 0) push();
  while (front_ != back_) hand_over();
  std::array<char, 64> end{};  // of an empty block, which takes 28 bytes
  std::size_t size = end.size();
  if (!pack({}, end.data(), size, level_)) throw std::bad_alloc();
  sink_({end.data(), size});
}

}  // namespace basesweep
