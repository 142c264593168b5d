#include "kernels/registry/many_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

// The GPUs of a matcher or a finder, and their shares of the batches. Thread-safe.
template <class Searcher>
class Team {
 public:
  explicit Team(std::vector<OnGpu<Searcher>> gpus)
      : gpus_(std::move(gpus)), unfinished_(gpus_.size()), given_(gpus_.size()) {}

  // The place of the one that has the least to do, which gets one batch more.
  std::size_t take() {
    const std::lock_guard lock(mutex_);
    const auto place =
        static_cast<std::size_t>(std::min_element(unfinished_.begin(), unfinished_.end()) - unfinished_.begin());
    ++unfinished_[place];
    ++given_[place];
    return place;
  }
  void finish(std::size_t place) {
    const std::lock_guard lock(mutex_);
    --unfinished_[place];
  }

  Searcher& at(std::size_t place) const { return *gpus_[place].searcher; }
  int gpu(std::size_t place) const { return gpus_[place].gpu; }

  // "planes on gpu 0, 1"
  std::string describe() const {
    std::string text = gpus_.front().searcher->describe();
    for (std::size_t i = 1; i < gpus_.size(); ++i) text += fmt::format(", {}", gpus_[i].gpu);
    return text;
  }
  int slots() const {
    return std::accumulate(gpus_.begin(), gpus_.end(), 0,
                           [](int sum, const auto& one) { return sum + one.searcher->slots(); });
  }
  std::vector<DeviceBatches> batches() const {
    const std::lock_guard lock(mutex_);
    std::vector<DeviceBatches> all;
    for (std::size_t i = 0; i < gpus_.size(); ++i) all.push_back({fmt::format("gpu {}", gpus_[i].gpu), given_[i]});
    return all;
  }

 private:
  const std::vector<OnGpu<Searcher>> gpus_;
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> unfinished_;  // batches of each
  std::vector<std::uint64_t> given_;       // the same, since the start
};

class GpuMatchers final : public Matcher {
 public:
  explicit GpuMatchers(std::vector<OnGpu<Matcher>> gpus) : team_(std::move(gpus)) {}

  void submit(const PackedBatch& batch, Done done) override {
    const std::size_t place = team_.take();
    team_.at(place).submit(
        batch, [this, place, done = std::move(done)](MatchResult&& result, const std::exception_ptr& error) {
          team_.finish(place);
          done(std::move(result), error ? name_gpu(team_.gpu(place), error) : nullptr);
        });
  }
  std::string describe() const override { return team_.describe(); }
  // Pinned memory is pinned for all GPUs.
  std::pmr::memory_resource* memory() override { return team_.at(0).memory(); }
  std::uint32_t batch_positions() const override { return team_.at(0).batch_positions(); }
  int slots() const override { return team_.slots(); }
  std::vector<DeviceBatches> batches() const override { return team_.batches(); }

 private:
  Team<Matcher> team_;
};

class GpuFinders final : public Finder {
 public:
  explicit GpuFinders(std::vector<OnGpu<Finder>> gpus) : team_(std::move(gpus)) {}

  void submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) override {
    const std::size_t place = team_.take();
    team_.at(place).submit(reads, first_read,
                           [this, place, done = std::move(done)](std::vector<ReadEnd>&& ends, std::uint32_t end_read,
                                                                 const std::exception_ptr& error) {
                             team_.finish(place);
                             done(std::move(ends), end_read, error ? name_gpu(team_.gpu(place), error) : nullptr);
                           });
  }
  std::string describe() const override { return team_.describe(); }
  std::size_t batch_bytes() const override { return team_.at(0).batch_bytes(); }
  int slots() const override { return team_.slots(); }
  std::vector<DeviceBatches> batches() const override { return team_.batches(); }

 private:
  Team<Finder> team_;
};

class GpuGuideFinders final : public GuideFinder {
 public:
  explicit GpuGuideFinders(std::vector<OnGpu<GuideFinder>> gpus) : team_(std::move(gpus)) {}

  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override {
    with_one([&](const GuideFinder& finder) { finder.find(batch, loop, use); });
  }
  bool add_up(const PackedBatch& batch, bool skip_soft_masked, const UseSums& use) const override {
    bool added = false;
    with_one([&](const GuideFinder& finder) { added = finder.add_up(batch, skip_soft_masked, use); });
    return added;
  }
  std::string describe() const override { return team_.describe(); }
  std::uint32_t batch_positions() const override { return team_.at(0).batch_positions(); }
  int slots() const override { return team_.slots(); }
  std::vector<DeviceBatches> batches() const override { return team_.batches(); }

 private:
  template <class Work>
  void with_one(const Work& work) const {
    const std::size_t place = team_.take();
    try {
      work(team_.at(place));
    } catch (const DeviceError&) {
      team_.finish(place);
      std::rethrow_exception(name_gpu(team_.gpu(place), std::current_exception()));
    } catch (...) {
      team_.finish(place);
      throw;
    }
    team_.finish(place);
  }

  mutable Team<GuideFinder> team_;
};

}  // namespace

std::exception_ptr name_gpu(int gpu, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return error;
  } catch (const std::exception& thrown) {
    try {
      return std::make_exception_ptr(DeviceError(fmt::format("GPU {}: {}", gpu, thrown.what())));
    } catch (...) {
      return std::current_exception();
    }
  } catch (...) {
    return error;
  }
}

std::unique_ptr<Matcher> join_gpus(std::vector<OnGpu<Matcher>> gpus) {
  if (gpus.size() == 1) return std::move(gpus.front().searcher);
  return std::make_unique<GpuMatchers>(std::move(gpus));
}

std::unique_ptr<Finder> join_gpus(std::vector<OnGpu<Finder>> gpus) {
  if (gpus.size() == 1) return std::move(gpus.front().searcher);
  return std::make_unique<GpuFinders>(std::move(gpus));
}

std::unique_ptr<GuideFinder> join_gpus(std::vector<OnGpu<GuideFinder>> gpus) {
  if (gpus.size() == 1) return std::move(gpus.front().searcher);
  return std::make_unique<GpuGuideFinders>(std::move(gpus));
}

}  // namespace basesweep
