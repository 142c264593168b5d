// Blocks of BGZF that are inflated side by side. Private to the reader.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "lib/reader/bgzf_block.hpp"

namespace basesweep {

// One thread puts packed blocks in at the back and takes inflated ones from the front. Helpers inflate those between,
// and so does that thread when it must wait.
class BgzfQueue {
 public:
  // `threads`: the number of helpers; with 1 there are none, and the calling thread inflates all blocks.
  explicit BgzfQueue(int threads);
  ~BgzfQueue();
  BgzfQueue(const BgzfQueue&) = delete;
  BgzfQueue& operator=(const BgzfQueue&) = delete;

  bool empty() const { return front_ == back_; }
  bool full() const { return back_ - front_ == slots_.size(); }
  // Whether front() need not wait; false when the queue is empty.
  bool ready();

  // The block to fill, unless the queue is full. push() then puts it in.
  BgzfBlock& back() { return slot(back_).block; }
  void push();
  // The first block, inflated, unless the queue is empty.
  const BgzfBlock& front();
  void pop();
  // Drops all blocks.
  void clear();

 private:
  struct Slot {
    BgzfBlock block;
    bool done = false;
  };
  Slot& slot(std::size_t number) { return slots_[number % slots_.size()]; }
  void start_helpers();
  void help(BgzfInflater& inflater);
  void inflate_some(std::unique_lock<std::mutex>& lock, BgzfInflater& inflater, std::size_t count);

  // Numbers of blocks: front_ <= next_ <= back_. Those from next_ on are still to be inflated.
  std::vector<Slot> slots_;
  std::size_t front_ = 0;
  std::size_t back_ = 0;
  std::size_t next_ = 0;
  std::size_t idle_ = 0;  // helpers
  bool waiting_ = false;  // for the first block
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::condition_variable done_;
  BgzfInflater inflater_;  // of the thread that takes blocks
  std::size_t threads_;
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
