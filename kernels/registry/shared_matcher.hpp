// A CPU and a GPU share the batches: the CPU begins, and the GPU joins it when it has started.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lib/search/matcher.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// The matcher of a GPU and its expected rate.
struct GpuMatcher {
  std::unique_ptr<Matcher> matcher;
  double seconds_per_position = 0;
};

struct SharedMatcherOptions {
  // Makes the matcher of the CPU. Called at once, or, with `cpu_late`, when a batch needs it: large tables take longer
  // to build than a GPU to start.
  std::function<std::unique_ptr<Matcher>()> make_cpu;
  bool cpu_late = false;
  // Starts the GPU. Returns why it cannot be used, or nothing. May still run when the matcher is gone.
  std::function<std::optional<std::string>()> start_gpu;
  // Makes the matcher of the GPU, after start_gpu().
  std::function<GpuMatcher()> make_gpu;
  int gpu = 0;        // its number
  int gpu_slots = 3;  // Matcher::slots() of the GPU's matcher
  double gpu_start_seconds = 0.3;
  double cpu_seconds_per_position = 0;  // expected on one thread, replaced by what is measured
  // The GPU is started when the CPU has still this much to do, on all its threads.
  double min_cpu_seconds = 0.5;
  std::optional<std::int64_t> expected_positions{};                         // of the input
  int threads = 1;                                                          // that call submit()
  std::function<void(const std::string&)> log = [](const std::string&) {};  // from any thread
};

// Each batch goes to the device that is expected to finish it first, by the rates measured so far and by what is queued
// for the GPU. Since all algorithms give the same hits, it does not matter which one does.
//
// The GPU starts on a thread of its own, at once or when the CPU proves to have enough left to do. One that cannot be
// used, or whose search fails, gets no more batches, and the CPU searches those that it had. The destructor does not
// wait for a GPU that is still starting, see gpu_start_unfinished().
class SharedMatcher final : public Matcher {
 public:
  explicit SharedMatcher(SharedMatcherOptions options);
  ~SharedMatcher() override;

  void submit(const PackedBatch& batch, Done done) override;
  std::string describe() const override;
  std::uint32_t batch_positions() const override;
  int slots() const override { return options_.gpu_slots; }
  std::vector<DeviceBatches> batches() const override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Gpu { off, starting, ready, failed };
  struct Job {
    const PackedBatch* batch;
    Done done;
  };
  struct Start;

  void start_if_worth_it(double cpu_seconds_left);
  void leave_start() noexcept;
  double cpu_seconds_left() const;
  bool gpu_finishes_first(double positions) const;
  void gpu_started(const std::optional<std::string>& reason);
  void fail_gpu(const std::string& reason);
  void run_on_cpu(Job job);
  void give_to_gpu(Job job);
  Matcher& cpu();

  const SharedMatcherOptions options_;
  const std::uint32_t cpu_batch_positions_;
  std::once_flag cpu_once_;
  std::unique_ptr<Matcher> cpu_;

  mutable std::mutex mutex_;  // for all that follows
  Gpu gpu_ = Gpu::off;
  std::unique_ptr<Matcher> gpu_matcher_;  // set once, before gpu_ is `ready`
  std::deque<Job> waiting_;               // for the GPU that starts
  double cpu_rate_;                       // seconds per position, one thread
  double gpu_rate_ = 0;
  std::uint64_t cpu_batches_ = 0;
  std::uint64_t gpu_batches_ = 0;
  double submitted_positions_ = 0;
  double gpu_positions_ = 0;  // waiting or queued
  Clock::time_point gpu_start_{};
  Clock::time_point gpu_last_{};  // when the GPU began to be busy, or finished its last batch
  std::shared_ptr<Start> start_;
  std::thread starter_;
};

// Whether a GPU is still starting that no matcher waits for any more. exit() would wait for it, and CUDA would end
// while it begins: such a process should end by _Exit().
bool gpu_start_unfinished();

}  // namespace basesweep
