// Text that is compressed as BGZF, in blocks side by side.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace basesweep {

// Writes the bytes that bgzf_write() and bgzf_close() of HTSlib write. HTSlib 1.16 is not used for that because its
// helper threads write a block of rubbish, without an error, when memory for compressing it gives out.
class BgzfWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  // `threads`: the number of helpers; with 1 there are none, and the calling thread compresses all blocks. `sink` gets
  // the compressed blocks in order, on the thread that calls write() or finish(), and may throw. `level`: of
  // compression, as for bgzf_compress() of HTSlib; -1: the default.
  BgzfWriter(int threads, Sink sink, int level = -1);
  ~BgzfWriter();
  BgzfWriter(const BgzfWriter&) = delete;
  BgzfWriter& operator=(const BgzfWriter&) = delete;

  // Throws std::bad_alloc, and what the sink throws. Nothing may be written after an error.
  void write(std::string_view text);
  // Hands over what is left, and the block that marks the end. Nothing may be written after it.
  void finish();

 private:
  static constexpr std::size_t kTextBytes = 0xff00;     // of a block before it is compressed, as in HTSlib
  static constexpr std::size_t kPackedBytes = 0x10000;  // the most that it can take afterwards

  struct Slot {
    std::array<char, kTextBytes> text;
    std::array<char, kPackedBytes> packed;
    std::size_t text_size = 0;
    std::size_t packed_size = 0;
    bool done = false;
    bool failed = false;
  };
  Slot& slot(std::size_t number) { return slots_[number % slots_.size()]; }
  void start_helpers();
  void help();
  void push();
  void pack_next(std::unique_lock<std::mutex>& lock);
  bool ready();
  void hand_over();

  // Numbers of blocks: front_ <= next_ <= back_. Block back_ is being filled; those from next_ on are still to be
  // compressed, those from front_ on to be handed over.
  std::vector<Slot> slots_;
  Sink sink_;
  int level_;
  std::size_t front_ = 0;
  std::size_t next_ = 0;
  std::size_t back_ = 0;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::condition_variable done_;
  std::size_t threads_;
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
