#include "kernels/registry/shared_matcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <utility>

#include "lib/base/parallel.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

// Shared with the thread that starts the GPU, which may outlive the matcher.
struct SharedMatcher::Start {
  std::mutex mutex;        // held while the thread uses the matcher
  bool abandoned = false;  // the matcher is gone
  std::atomic<bool> finished = false;
};

namespace {

constexpr std::uint32_t kCpuBatch = 1U << 20;
constexpr std::uint32_t kMinCpuBatch = 1U << 16;
constexpr std::uint32_t kMinGpuBatch = 1U << 20;

// Threads that start a GPU for a matcher that is gone.
class AbandonedStarts {
 public:
  ~AbandonedStarts() {
    for (std::thread& thread : threads_) thread.join();
  }
  void add(std::thread thread, std::function<bool()> finished) {
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(thread));
    finished_.push_back(std::move(finished));
  }
  bool any_unfinished() {
    const std::lock_guard lock(mutex_);
    return std::any_of(finished_.begin(), finished_.end(), [](const auto& finished) { return !finished(); });
  }

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;
  std::vector<std::function<bool()>> finished_;
};

AbandonedStarts& abandoned_starts() {
  static AbandonedStarts starts;
  return starts;
}

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

double positions_of(const PackedBatch& batch) { return std::max<double>(batch.positions(), 1); }

// Follows what is measured, and forgets it soon.
void update(double& rate, double measured) { rate += 0.25 * (measured - rate); }

// Several batches for each thread, so that all have work until the end.
std::uint32_t cpu_batch(const SharedMatcherOptions& options) {
  if (!options.expected_positions) return kCpuBatch;
  const std::int64_t share = *options.expected_positions / (4 * std::max(options.threads, 1));
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(share, kMinCpuBatch, kCpuBatch));
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
    return "an unknown error";
  }
}

}  // namespace

bool gpu_start_unfinished() { return abandoned_starts().any_unfinished(); }

SharedMatcher::SharedMatcher(SharedMatcherOptions options)
    : options_(std::move(options)),
      cpu_batch_positions_(cpu_batch(options_)),
      cpu_rate_(options_.cpu_seconds_per_position) {
  // The expectation may be too low by a factor, so where it does not start the GPU, the first batches may.
  {
    const std::lock_guard lock(mutex_);
    const double known = options_.expected_positions ? cpu_seconds_left() : 0;
    start_if_worth_it(options_.cpu_late ? options_.min_cpu_seconds : known);
  }
  if (options_.cpu_late) return;
  try {
    cpu();
  } catch (...) {
    leave_start();
    throw;
  }
}

SharedMatcher::~SharedMatcher() { leave_start(); }

// Does not wait for a GPU that is still starting.
void SharedMatcher::leave_start() noexcept {
  if (!starter_.joinable()) return;
  {
    const std::lock_guard lock(start_->mutex);
    start_->abandoned = true;
  }
  if (start_->finished) {
    starter_.join();
  } else {
    abandoned_starts().add(std::move(starter_), [start = start_] { return start->finished.load(); });
  }
}

// Seconds for all threads of the CPU to do what is left, if nobody helps. Where the size of the input is not known, as
// much is thought to be left as was done.
double SharedMatcher::cpu_seconds_left() const {
  const double left = options_.expected_positions
                          ? std::max(static_cast<double>(*options_.expected_positions) - submitted_positions_, 0.0)
                          : submitted_positions_;
  return left * cpu_rate_ / std::max(options_.threads, 1);
}

// With mutex_ locked.
void SharedMatcher::start_if_worth_it(double cpu_seconds_left) {
  if (gpu_ != Gpu::off || cpu_seconds_left < options_.min_cpu_seconds) return;
  gpu_ = Gpu::starting;
  gpu_start_ = Clock::now();
  start_ = std::make_shared<Start>();
  try {
    starter_ = std::thread([this, start = start_, start_gpu = options_.start_gpu] {
      std::optional<std::string> reason;
      try {
        reason = start_gpu();
      } catch (...) {
        reason = message_of(std::current_exception());
      }
      {
        const std::lock_guard lock(start->mutex);
        if (!start->abandoned) gpu_started(reason);
      }
      start->finished = true;
    });
  } catch (const std::system_error&) {
    gpu_ = Gpu::failed;
  }
}

// On the starter's thread.
void SharedMatcher::gpu_started(const std::optional<std::string>& reason) {
  GpuMatcher made;
  std::string failure = reason.value_or("");
  if (!reason) {
    try {
      made = options_.make_gpu();
    } catch (...) {
      failure = message_of(std::current_exception());
    }
  }
  const bool usable = made.matcher != nullptr;
  double seconds = 0;
  std::deque<Job> waiting;
  {
    const std::lock_guard lock(mutex_);
    gpu_ = usable ? Gpu::ready : Gpu::failed;
    gpu_matcher_ = std::move(made.matcher);
    gpu_rate_ = made.seconds_per_position;
    waiting.swap(waiting_);
    gpu_last_ = Clock::now();
    seconds = seconds_between(gpu_start_, gpu_last_);
  }
  if (usable) {
    options_.log(fmt::format("GPU {}: started in {:.2f} s", options_.gpu, seconds));
    for (Job& job : waiting) give_to_gpu(std::move(job));
    return;
  }
  options_.log(fmt::format("GPU {} is not used: {}", options_.gpu, failure));
  parallel_for(options_.threads, waiting.size(), [&](std::size_t i) { run_on_cpu(std::move(waiting[i])); });
}

void SharedMatcher::fail_gpu(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(gpu_, Gpu::failed) == Gpu::failed) return;
  }
  options_.log(fmt::format("GPU {} is not used any more: {}; the CPU does its work", options_.gpu, reason));
}

// With mutex_ locked. The calling thread would search the batch at once.
bool SharedMatcher::gpu_finishes_first(double positions) const {
  if (gpu_ != Gpu::starting && gpu_ != Gpu::ready) return false;
  double seconds = gpu_rate_ * (gpu_positions_ + positions);
  if (gpu_ == Gpu::starting) {
    // One that is late is thought to need as much time again as it is late.
    seconds += std::abs(options_.gpu_start_seconds - seconds_between(gpu_start_, Clock::now()));
  }
  return options_.cpu_late || seconds < cpu_rate_ * positions;
}

void SharedMatcher::submit(const PackedBatch& batch, Done done) {
  Job job{&batch, std::move(done)};
  bool to_gpu = false;
  {
    const std::lock_guard lock(mutex_);
    submitted_positions_ += positions_of(batch);
    if (cpu_batches_ >= static_cast<std::uint64_t>(options_.threads)) start_if_worth_it(cpu_seconds_left());
    to_gpu = gpu_finishes_first(positions_of(batch));
    if (to_gpu) gpu_positions_ += positions_of(batch);
    if (to_gpu && gpu_ == Gpu::starting) {
      waiting_.push_back(std::move(job));
      return;
    }
    if (!to_gpu && !waiting_.empty()) {  // the oldest first, since output waits for it
      std::swap(job, waiting_.front());
      gpu_positions_ += positions_of(batch) - positions_of(*job.batch);
      std::rotate(waiting_.begin(), waiting_.begin() + 1, waiting_.end());
    }
  }
  to_gpu ? give_to_gpu(std::move(job)) : run_on_cpu(std::move(job));
}

void SharedMatcher::run_on_cpu(Job job) {
  const Clock::time_point begin = Clock::now();
  try {
    cpu().submit(*job.batch, [&](MatchResult&& result, const std::exception_ptr& error) {
      {
        const std::lock_guard lock(mutex_);
        const double measured = seconds_between(begin, Clock::now()) / positions_of(*job.batch);
        cpu_batches_++ == 0 ? void(cpu_rate_ = measured) : update(cpu_rate_, measured);
      }
      job.done(std::move(result), error);
    });
  } catch (...) {
    job.done({}, std::current_exception());
  }
}

void SharedMatcher::give_to_gpu(Job job) {
  const auto shared = std::make_shared<Job>(std::move(job));
  const Clock::time_point given = Clock::now();
  try {
    gpu_matcher_->submit(*shared->batch, [this, shared, given](MatchResult&& result, const std::exception_ptr& error) {
      const double positions = positions_of(*shared->batch);
      {
        const std::lock_guard lock(mutex_);
        gpu_positions_ -= positions;
        // The time that the GPU was busy since it finished the batch before. Its first batches wait for its tables.
        const Clock::time_point now = Clock::now();
        const double measured = seconds_between(std::max(gpu_last_, given), now) / positions;
        gpu_last_ = now;
        if (!error && gpu_batches_++ >= static_cast<std::uint64_t>(options_.gpu_slots)) update(gpu_rate_, measured);
      }
      if (!error) return shared->done(std::move(result), nullptr);
      fail_gpu(message_of(error));
      run_on_cpu(std::move(*shared));
    });
  } catch (...) {
    fail_gpu(message_of(std::current_exception()));
    run_on_cpu(std::move(*shared));
  }
}

Matcher& SharedMatcher::cpu() {
  std::call_once(cpu_once_, [this] { cpu_ = options_.make_cpu(); });
  return *cpu_;
}

std::string SharedMatcher::describe() const {
  const std::lock_guard lock(mutex_);
  if (cpu_ == nullptr) return gpu_matcher_ == nullptr ? "a GPU" : gpu_matcher_->describe();
  if (gpu_batches_ == 0) return cpu_->describe();
  if (cpu_batches_ == 0) return gpu_matcher_->describe();
  return cpu_->describe() + " and " + gpu_matcher_->describe();
}

// The GPU's batches are large, but there are several for each slot.
std::uint32_t SharedMatcher::batch_positions() const {
  const std::lock_guard lock(mutex_);
  if (gpu_ != Gpu::ready) return cpu_batch_positions_;
  const std::uint32_t wanted = gpu_matcher_->batch_positions();
  if (!options_.expected_positions) return wanted;
  const double left = static_cast<double>(*options_.expected_positions) - submitted_positions_;
  const double share = left / (2.0 * options_.gpu_slots);
  return static_cast<std::uint32_t>(std::clamp<double>(share, std::min(kMinGpuBatch, wanted), wanted));
}

std::vector<DeviceBatches> SharedMatcher::batches() const {
  const std::lock_guard lock(mutex_);
  if (gpu_ == Gpu::off) return {};
  return {{"cpu", cpu_batches_}, {fmt::format("gpu {}", options_.gpu), gpu_batches_}};
}

}  // namespace basesweep
