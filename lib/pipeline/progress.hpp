// How far a run has come, and a meter that prints it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace basesweep {

// The work that a pipeline has done so far. The pipeline writes the numbers, and a meter reads them while the pipeline
// runs.
struct ProgressCounts {
  std::atomic<std::int64_t> bases = 0;
  std::atomic<std::int64_t> hits = 0;
  // Set by whoever watches: the pipeline stops and throws Cancelled.
  std::atomic<bool> cancelled = false;
};

// How much of the input, as it is stored, was read.
struct InputProgress {
  std::optional<std::int64_t> bytes;         // of the whole input, if known
  std::function<std::int64_t()> bytes_read;  // so far; called by the meter's thread
};

// Prints the counts at intervals, on a thread of its own, until it is destroyed.
class ProgressMeter {
 public:
  // `bar`: redraw one line of a terminal several times a second; else print a line every few seconds. `write` gets what
  // to print, line ends included. `counts` must outlive the meter.
  ProgressMeter(const ProgressCounts& counts, InputProgress input, bool bar,
                std::function<void(const std::string&)> write);
  ~ProgressMeter();
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

 private:
  void run();
  std::string line(double seconds) const;

  const ProgressCounts& counts_;
  const InputProgress input_;
  const bool bar_;
  const std::function<void(const std::string&)> write_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace basesweep
