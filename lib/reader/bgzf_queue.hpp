// Runs of BGZF blocks that are inflated side by side. Private to the reader.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "lib/reader/bgzf_run.hpp"

namespace basesweep {

// One thread puts packed runs in at the back and takes inflated ones from the front. Helpers inflate those between,
// and so does that thread when it must wait.
class BgzfQueue {
 public:
  // `threads`: the number of helpers; with 1 there are none, and the calling thread inflates all runs. Runs have one
  // block.
  explicit BgzfQueue(int threads);
  ~BgzfQueue();
  BgzfQueue(const BgzfQueue&) = delete;
  BgzfQueue& operator=(const BgzfQueue&) = delete;

  // Makes it a queue of runs with up to `bytes` of text, at least that of a block. To be called before the first
  // push().
  void take_runs(std::size_t bytes);
  // Has helpers find records in the runs that nobody has begun with.
  void find_records(RecordFinder finder);

  bool empty() const { return front_ == back_; }
  bool full() const { return back_ - front_ == (handed_out_ ? slots_.size() : 1); }
  // Whether front() need not wait; false when the queue is empty.
  bool ready();

  // The run to fill, unless the queue is full. push() then puts it in.
  BgzfRun& back() { return slot(back_).run; }
  bool back_has_room() { return back().has_room(run_bytes_); }
  void push();
  // The first run, inflated, unless the queue is empty.
  BgzfRun& front();
  void pop();
  // Drops all runs.
  void clear();

 private:
  struct Slot {
    BgzfRun run;
    bool done = false;
  };
  Slot& slot(std::size_t number) { return slots_[number % slots_.size()]; }
  void start_helpers();
  void help(BgzfInflater& inflater);
  void inflate_some(std::unique_lock<std::mutex>& lock, BgzfInflater& inflater, std::size_t count, bool find);

  std::size_t threads_;
  std::size_t run_bytes_ = BgzfRun::kMaxBlockBytes;
  std::size_t runs_at_once_;  // that a helper takes
  std::optional<TextMemoryPool> memory_;
  // Numbers of runs: front_ <= next_ <= back_. Those from next_ on are still to be inflated.
  std::vector<Slot> slots_;
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
  BgzfInflater inflater_;  // of the thread that takes runs
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
