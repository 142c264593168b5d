#include "kernels/registry/choose_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/cuda/cuda.hpp"
#include "kernels/reads/seeds/choices.hpp"
#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/search/start_early.hpp"

namespace basesweep {
namespace {

// Seconds of one CPU thread, for a base of reads of 150 with 8 edits and for a position of the reference's index.
// Measured on a Zen 3 with AVX2 and rounded, see kernels/reads/seeds/README.md.
constexpr double kSecondsPerBase = 1.5e-8;
constexpr double kSecondsPerPosition = 1.5e-8;

struct ExpectedSeconds {
  double cpu;                 // of all threads together
  std::optional<double> gpu;  // with its start; nothing if it is not known
};

// Short reads with many edits take a hundred times as long as long ones with few, and then a CPU has better seeds.
std::optional<ExpectedSeconds> expected_seconds(std::int64_t positions, const FinderOptions& options) {
  if (!options.expected_bases) return std::nullopt;
  const auto bases = static_cast<double>(*options.expected_bases);
  double seconds = bases * kSecondsPerBase;
  std::optional<double> gpu;
  if (options.usual_read) {
    const double queries = 2 * bases / std::max<double>(options.usual_read->length, 1);
    const auto query = seeds::expected_seconds(*options.usual_read, static_cast<std::uint32_t>(positions));
    seconds = std::max(seconds, queries * query.core);
    gpu = kGpuStartSeconds + queries * query.gpu;
  }
  const double index = static_cast<double>(positions) * kSecondsPerPosition;
  return ExpectedSeconds{(seconds + index) / std::max(options.threads, 1), gpu};
}

std::string less_than_start(double cpu_seconds, const std::string& note) {
  return fmt::format("device: cpu, since matching takes it about {:.2f} s{}, less than a GPU needs to start",
                     cpu_seconds, note);
}

// `gpus`, or all that CUDA shows if it is empty.
std::vector<int> numbers_of(std::vector<int> gpus) {
  if (gpus.empty()) {
    gpus.resize(static_cast<std::size_t>(std::max(cuda::gpu_count(), 1)));  // without any, GPU 0 says why
    std::iota(gpus.begin(), gpus.end(), 0);
  }
  return gpus;
}

// Starts GPUs side by side; returns why they are not usable.
std::vector<std::optional<std::string>> start(const std::vector<int>& gpus) {
  std::vector<std::optional<std::string>> reasons(gpus.size());
  parallel_for(static_cast<int>(gpus.size()), gpus.size(),
               [&](std::size_t i) { reasons[i] = cuda::unusable_reason(gpus[i]); });
  return reasons;
}

}  // namespace

std::future<void> start_early(const DeviceChoice& choice) {
  if (choice.device != Device::gpu || cuda::absent_reason()) return {};
  return std::async(std::launch::async, [gpus = choice.gpus] { start(numbers_of(gpus)); });
}

std::vector<int> usable_gpus(const std::vector<int>& gpus) {
  const std::vector<int> all = numbers_of(gpus);
  const std::vector<std::optional<std::string>> reasons = start(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (reasons[i]) throw DeviceError(fmt::format("GPU {} is not usable: {}", all[i], *reasons[i]));
  }
  return all;
}

Device choose_device(std::int64_t positions, const FinderOptions& options) {
  if (options.device != Device::automatic) return options.device;
  const auto expected = expected_seconds(positions, options);
  if (expected && expected->cpu > kGpuStartSeconds && expected->gpu && expected->cpu <= *expected->gpu) {
    options.log(fmt::format("device: cpu, since matching takes it about {:.1f} s, less than the {:.1f} s of a GPU",
                            expected->cpu, *expected->gpu));
    return Device::cpu;
  }
  const auto cpu = expected ? std::optional(expected->cpu) : std::nullopt;
  return choose_device(cpu, options.gpus.front(), options.log);
}

Device choose_device(std::optional<double> cpu_seconds, int gpu, const std::function<void(const std::string&)>& log) {
  if (!cpu_seconds) {
    log("device: cpu, since the size of the input is not known");
    return Device::cpu;
  }
  if (*cpu_seconds <= kGpuStartSeconds) {
    log(less_than_start(*cpu_seconds, ""));
    return Device::cpu;
  }
  const auto absent = cuda::absent_reason();
  if (const auto reason = absent ? absent : cuda::unusable_reason(gpu)) {
    log("device: cpu, since no GPU is usable: " + *reason);
    return Device::cpu;
  }
  log(fmt::format("device: gpu, since matching would take the CPU about {:.1f} s", *cpu_seconds));
  return Device::gpu;
}

bool may_share_with_gpu(std::optional<double> cpu_seconds, const std::function<void(const std::string&)>& log,
                        const std::string& note) {
  // The expectation may be wrong by some factor; what is far below the start of a GPU is not worth watching.
  constexpr double kFarBelow = 3;
  if (cpu_seconds && *cpu_seconds <= kGpuStartSeconds / kFarBelow) {
    log(less_than_start(*cpu_seconds, note));
    return false;
  }
  if (const auto reason = cuda::absent_reason()) {
    log("device: cpu, since no GPU is usable: " + *reason);
    return false;
  }
  if (cpu_seconds) {
    log(fmt::format("device: cpu, and a GPU if it has time to help: matching would take the CPU about {:.2f} s{}",
                    *cpu_seconds, note));
  } else {
    log("device: cpu, and a GPU if this takes long, since the size of the input is not known");
  }
  return true;
}

}  // namespace basesweep
