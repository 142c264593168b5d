// Makes the finder of guides for the devices that the user chose.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/guides/buckets/finder.hpp"
#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/many_gpus.hpp"
#include "lib/base/error.hpp"
#include "lib/guides/distinct_finder.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/pattern_finder.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

namespace halves {
std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, GuideWay way, Isa isa);
// Seconds of one CPU thread for a base of random text.
double cpu_seconds_per_base(const GuideSet& guides);
}  // namespace halves

namespace {

buckets::Settings settings_for(GuideWay way) {
  switch (way) {
    case GuideWay::sites: return {.most_word = 0};
    case GuideWay::words: return {.least_word = 1};
    default: return {};
  }
}

std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, GuideWay way, Isa isa) {
  return guides.limits().max_bulge() == 0 ? buckets::make_cpu_finder(guides, settings_for(way), isa)
                                          : halves::make_cpu_finder(guides, way, isa);
}

double cpu_seconds_per_base(const GuideSet& guides) {
  return guides.limits().max_bulge() == 0 ? buckets::cpu_seconds_per_base(guides)
                                          : halves::cpu_seconds_per_base(guides);
}

// For Device::automatic: a GPU, and the CPU for batches that the GPU fails to search.
class GpuOrCpuFinder final : public GuideFinder {
 public:
  GpuOrCpuFinder(std::unique_ptr<GuideFinder> gpu, const GuideSet& guides, GuideFinderOptions options)
      : gpu_(std::move(gpu)), guides_(guides), options_(std::move(options)) {}

  std::string describe() const override { return gpu_->describe(); }
  std::uint32_t batch_positions() const override { return gpu_->batch_positions(); }
  int slots() const override { return gpu_->slots(); }
  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override {
    // Nothing was given to use() when a GPU fails.
    if (!failed_) {
      try {
        return gpu_->find(batch, loop, use);
      } catch (const DeviceError& error) {
        make_cpu(error);
      }
    }
    cpu_->find(batch, loop, use);
  }
  bool add_up(const PackedBatch& batch, bool skip_soft_masked, const UseSums& use) const override {
    if (failed_) return false;
    try {
      return gpu_->add_up(batch, skip_soft_masked, use);
    } catch (const DeviceError& error) {
      make_cpu(error);
      return false;
    }
  }

 private:
  void make_cpu(const DeviceError& error) const {
    std::call_once(once_, [&] {
      options_.log(std::string("the GPU failed, and the CPU searches its batches: ") + error.what());
      cpu_ = make_cpu_finder(guides_, options_.way, options_.isa);
      failed_ = true;
    });
  }

  const std::unique_ptr<GuideFinder> gpu_;
  const GuideSet& guides_;
  const GuideFinderOptions options_;
  mutable std::once_flag once_;
  mutable std::atomic<bool> failed_ = false;
  mutable std::unique_ptr<GuideFinder> cpu_;
};

Device chosen_device(const GuideSet& guides, const GuideFinderOptions& options) {
  if (options.device != Device::automatic) return options.device;
  std::optional<double> seconds;
  if (options.expected_bases) {
    seconds =
        static_cast<double>(*options.expected_bases) * cpu_seconds_per_base(guides) / std::max(options.threads, 1);
  }
  return choose_device(seconds, options.gpus.front(), options.log);
}

// Seconds of one CPU thread for a base of text, if guides are searched with their PAM; fitted to docs/benchmarks.md.
double pattern_seconds_per_base(const GuideSet& guides) {
  constexpr double kBase = 2e-10;
  constexpr double kPosition = 1.6e-12;  // of a pattern, on one strand
  double positions = 0;
  for (const Guide& guide : guides.guides()) {
    for (const std::string& pam : guides.pams()) positions += static_cast<double>(guide.letters.size() + pam.size());
  }
  return kBase + 2 * positions * kPosition;
}

std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, const GuideFinderOptions& options) {
  const bool few =
      options.way == GuideWay::patterns ||
      (options.way == GuideWay::automatic && pattern_seconds_per_base(guides) < cpu_seconds_per_base(guides));
  if (!few || guides.limits().max_bulge() != 0) return make_cpu_finder(guides, options.way, options.isa);
  MatcherOptions matching{options};
  matching.device = Device::cpu;
  return std::make_unique<PatternFinder>(
      guides, [&matching](const PatternSet& patterns) { return make_matcher(patterns, matching); },
      [&guides, isa = options.isa] { return make_cpu_finder(guides, GuideWay::automatic, isa); });
}

std::unique_ptr<GuideFinder> make_finder(const GuideSet& guides, GuideFinderOptions options) {
  if (guides.limits().max_bulge() != 0 && options.way == GuideWay::patterns) options.way = GuideWay::automatic;
  if (chosen_device(guides, options) == Device::cpu) return make_cpu_finder(guides, options);
  if (options.way == GuideWay::patterns) options.way = GuideWay::automatic;
  if (options.device == Device::automatic) {
    auto gpu = cuda::make_guide_finder(guides, options.way, options.gpus.front());
    return std::make_unique<GpuOrCpuFinder>(std::move(gpu), guides, options);
  }
  std::vector<OnGpu<GuideFinder>> all;
  for (const int gpu : usable_gpus(options.gpus)) {
    all.push_back({gpu, cuda::make_guide_finder(guides, options.way, gpu)});
  }
  return join_gpus(std::move(all));
}

}  // namespace

std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet& guides, const GuideFinderOptions& options) {
  if (!has_twins(guides)) return make_finder(guides, options);
  return std::make_unique<DistinctFinder>(guides,
                                          [&options](const GuideSet& set) { return make_finder(set, options); });
}

}  // namespace basesweep
