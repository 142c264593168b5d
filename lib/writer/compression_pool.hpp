// The threads that compress the blocks of all BGZF files of a run.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace basesweep {

// A file costs the pool nothing while none of its blocks waits. There are at most 4 blocks per thread, however many
// files are written: the thread that wants one more compresses a block itself, of any file, or waits.
//
// Thread-safe, but blocks of one stream must come from one thread at a time. Must outlive its streams.
class CompressionPool {
 public:
  using Sink = std::function<void(std::string_view)>;
  struct Stream;

  static constexpr std::size_t kTextBytes = 0xff00;     // of a block before it is compressed, as in HTSlib
  static constexpr std::size_t kPackedBytes = 0x10000;  // the most that it can take afterwards

  struct Block {
    std::array<char, kTextBytes> text;
    std::array<char, kPackedBytes> packed;
    std::size_t text_size = 0;
    std::size_t packed_size = 0;
    bool done = false;    // compressed, or failed
    bool failed = false;  // there was no memory for compressing it
    Stream* stream = nullptr;
    Block* next_in_stream = nullptr;
    Block* next = nullptr;  // of the queue, or of the free blocks
  };

  // The state of a file in the pool. The sink gets its compressed blocks in order, one at a time, on any thread, and
  // may throw; it gets no more after that.
  struct Stream {
    Sink sink;
    int level;  // as for bgzf_compress() of HTSlib; -1: the default
    Block* first = nullptr;
    Block* last = nullptr;
    bool handing_over = false;  // a thread has left the lock to call the sink
    bool over = false;          // blocks are dropped
    std::exception_ptr error{};
  };

  // `threads`: the number of helpers. With 1 there are none, and the thread that pushes a block compresses it.
  explicit CompressionPool(int threads);
  ~CompressionPool();
  CompressionPool(const CompressionPool&) = delete;
  CompressionPool& operator=(const CompressionPool&) = delete;

  int threads() const { return static_cast<int>(threads_); }
  // A block to be filled and pushed. Throws std::bad_alloc.
  Block& take_block();
  // Has the block compressed and given to the sink. Throws std::bad_alloc, and what the sink threw for this block or an
  // earlier one.
  void push(Stream& stream, Block& block);
  // Waits until the sink has all blocks. Throws as push().
  void finish(Stream& stream);
  // Drops the blocks that the sink does not have yet; then the pool does not know the stream any more.
  void drop(Stream& stream) noexcept;

 private:
  void start_helpers();
  void help();
  void compress_next(std::unique_lock<std::mutex>& lock);
  void hand_over(Stream& stream, std::unique_lock<std::mutex>& lock);
  void wait_for(const Stream& stream, std::unique_lock<std::mutex>& lock);

  const std::size_t threads_;
  std::vector<std::unique_ptr<Block>> blocks_;
  Block* free_ = nullptr;
  Block* first_ = nullptr;  // of the queue of blocks to compress
  Block* last_ = nullptr;
  bool over_ = false;
  bool started_ = false;  // helpers, as many as the system allows
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::condition_variable done_;
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
