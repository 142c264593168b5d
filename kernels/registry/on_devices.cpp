#include "kernels/registry/on_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/many_gpus.hpp"

namespace basesweep {
namespace {

constexpr double kMinGpuSeconds = 2e-11;  // for a position; below this the copy to the GPU is what counts

std::unique_ptr<Matcher> make_gpu_matchers(const DeviceSearch& search, const SearcherOptions& options) {
  std::vector<OnGpu<Matcher>> all;
  for (const int gpu : usable_gpus(options.gpus)) {
    const auto say_nothing = [](const std::string&) {};  // the first GPU said it
    all.push_back({gpu, search.make_gpu(gpu, all.empty() ? options.log : say_nothing).matcher});
  }
  return join_gpus(std::move(all));
}

// The CPU, and a GPU beside it when it has started.
std::unique_ptr<Matcher> make_shared_matcher(DeviceSearch search, const SearcherOptions& options) {
  const int gpu = options.gpus.front();
  SharedMatcherOptions shared;
  shared.make_cpu = std::move(search.make_cpu);
  shared.cpu_late = search.cpu_late;
  shared.cpu_seconds_per_position = search.cpu_seconds_per_base;
  shared.start_gpu = [gpu] { return cuda::unusable_reason(gpu); };
  const auto log = [gpu, log = options.log](const std::string& text) { log(fmt::format("GPU {}: {}", gpu, text)); };
  shared.make_gpu = [make = std::move(search.make_gpu), gpu, log] {
    GpuMatcher made = make(gpu, log);
    made.seconds_per_position = std::max(made.seconds_per_position, kMinGpuSeconds);
    return made;
  };
  shared.gpu = gpu;
  shared.gpu_slots = cuda::kMatcherSlots;
  shared.gpu_start_seconds = kGpuStartSeconds;
  shared.expected_positions = options.expected_bases;
  shared.threads = options.threads;
  shared.log = options.log;
  return std::make_unique<SharedMatcher>(std::move(shared));
}

}  // namespace

bool may_share(double cpu_seconds_per_base, const SearcherOptions& options, const std::string& note) {
  std::optional<double> cpu_seconds;
  if (options.expected_bases) {
    cpu_seconds = static_cast<double>(*options.expected_bases) * cpu_seconds_per_base / std::max(options.threads, 1);
  }
  return may_share_with_gpu(cpu_seconds, options.log, note);
}

std::unique_ptr<Matcher> make_on_devices(DeviceSearch search, const SearcherOptions& options) {
  if (options.device == Device::gpu) return make_gpu_matchers(search, options);
  if (options.device == Device::automatic && may_share(search.cpu_seconds_per_base, options, search.note)) {
    return make_shared_matcher(std::move(search), options);
  }
  return search.make_cpu();
}

}  // namespace basesweep
