#include "kernels/registry/choose_device.hpp"

#include <fmt/format.h>

#include "kernels/cuda/cuda.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr double kGpuStartSeconds = 0.3;  // measured and rounded, see docs/benchmarks.md

}  // namespace

Device choose_device(Device requested, int gpu, std::optional<double> cpu_seconds,
                     const std::function<void(const std::string&)>& log, const std::string& note) {
  if (requested == Device::gpu) {
    if (const auto reason = cuda::unusable_reason(gpu)) {
      throw DeviceError(fmt::format("GPU {} is not usable: {}", gpu, *reason));
    }
  }
  if (requested != Device::automatic) return requested;
  if (!cpu_seconds) {
    log("device: cpu, since the size of the input is not known");
    return Device::cpu;
  }
  if (*cpu_seconds <= kGpuStartSeconds) {
    log(fmt::format("device: cpu, since matching takes it about {:.2f} s{}, less than a GPU needs to start",
                    *cpu_seconds, note));
    return Device::cpu;
  }
  if (const auto reason = cuda::unusable_reason(gpu)) {
    log("device: cpu, since no GPU is usable: " + *reason);
    return Device::cpu;
  }
  log(fmt::format("device: gpu, since matching would take the CPU about {:.1f} s{}", *cpu_seconds, note));
  return Device::gpu;
}

}  // namespace basesweep
