// Makes the join of a text with itself, for the devices that the user chose.
#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/guides/buckets/join.hpp"
#include "kernels/registry/choose_device.hpp"
#include "lib/base/error.hpp"
#include "lib/guides/guide_join.hpp"

namespace basesweep {
namespace {

// For Device::automatic: a GPU, and the CPU for what is left when that fails.
class GpuOrCpuJoin final : public GuideJoin {
 public:
  GpuOrCpuJoin(std::unique_ptr<GuideJoin> gpu, SearcherOptions options)
      : gpu_(std::move(gpu)), options_(std::move(options)) {}

  std::string describe() const override { return gpu_->describe(); }
  void join(const TextSites& sites, const JoinLimits& limits, SiteRange range, const Loop& loop,
            const Use& use) const override {
    try {
      return gpu_->join(sites, limits, range, loop, [&](std::uint32_t first, std::span<const SiteTotals> totals) {
        range.begin = first + static_cast<std::uint32_t>(totals.size());
        use(first, totals);
      });
    } catch (const DeviceError& error) {
      options_.log(std::string("the GPU failed, and the CPU does its work: ") + error.what());
    }
    buckets::make_cpu_join({}, options_.isa)->join(sites, limits, range, loop, use);
  }

 private:
  const std::unique_ptr<GuideJoin> gpu_;
  const SearcherOptions options_;
};

Device chosen_device(const GuideSet& every, const JoinLimits& limits, const SearcherOptions& options) {
  if (options.device != Device::automatic) return options.device;
  std::optional<double> seconds;
  if (options.expected_bases) {
    const double sites = static_cast<double>(*options.expected_bases) * text_sites_per_base(every);
    seconds = buckets::cpu_join_seconds(sites, every.max_length(), limits) / std::max(options.threads, 1);
  }
  return choose_device(seconds, options.gpus.front(), options.log);
}

}  // namespace

std::unique_ptr<GuideJoin> make_guide_join(const GuideSet& every, const JoinLimits& limits,
                                           const SearcherOptions& options) {
  if (chosen_device(every, limits, options) == Device::cpu) return buckets::make_cpu_join({}, options.isa);
  if (options.device == Device::automatic) {
    return std::make_unique<GpuOrCpuJoin>(cuda::make_guide_join({options.gpus.front()}), options);
  }
  return cuda::make_guide_join(usable_gpus(options.gpus));
}

double least_part_to_join(const DeviceChoice& device) {
  // Estimated from times with 16 threads and an H200, see kernels/guides/buckets/README.md: on a GPU the join takes
  // about as long for any regions, and the library as long as it has guides. On a CPU both take as many CPU seconds for
  // a tenth of the text.
  constexpr double kOnCpu = 0.1;
  constexpr double kOnGpu = 0.005;
  const bool on_gpu = device.device == Device::gpu || (device.device == Device::automatic && !cuda::absent_reason());
  return on_gpu ? kOnGpu : kOnCpu;
}

}  // namespace basesweep
