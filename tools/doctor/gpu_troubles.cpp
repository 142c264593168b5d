#include "tools/doctor/gpu_troubles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace basesweep {
namespace {

constexpr const char* kIntoContainer =
    "in a container, start it with access to the GPU: docker run --gpus all, apptainer exec --nv";

std::string no_library(const Machine& machine) {
  std::string text = "no GPU: libcuda.so.1, a part of the NVIDIA driver, was not found";
  if (!machine.nvidia_module.empty()) {
    text += fmt::format(", though the kernel has driver {}", machine.nvidia_module);
  } else if (machine.nvidia_hardware) {
    text += ", though there is an NVIDIA GPU";
  } else {
    return text + fmt::format("; if there is a GPU, install the driver; {}", kIntoContainer);
  }
  return text + (machine.container ? fmt::format("; {}", kIntoContainer) : "; install the driver");
}

std::string no_device(const cuda::CudaInfo& info, const Machine& machine, const std::optional<std::string>& visible) {
  if (visible) {
    return fmt::format("no GPU: CUDA_VISIBLE_DEVICES={} hides all GPUs; unset it, or name an existing one",
                       visible->empty() ? "(empty)" : *visible);
  }
  if (!machine.nvidia_device_files) {
    return fmt::format("no GPU: there is a driver, but no /dev/nvidia*; {}; in a batch system, ask for a GPU",
                       kIntoContainer);
  }
  return fmt::format("no GPU: CUDA says: {}", info.error.empty() ? "there is none" : info.error);
}

}  // namespace

GpuCode code_for(const std::string& architectures, int major, int minor) {
  const int wanted = 10 * major + minor;
  GpuCode best = GpuCode::none;
  std::istringstream list(architectures);
  for (std::string name; std::getline(list, name, ',');) {
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc()) return GpuCode::unknown;  // "native", "all"
    const std::string suffix = name.substr(static_cast<std::size_t>(end - name.data()));
    const bool exact = suffix.starts_with('a');  // 90a: for exactly that one
    const bool runs = exact ? number == wanted : number / 10 == major && number % 10 <= minor;
    const bool compiles = exact ? number == wanted : number <= wanted;
    if (runs && !suffix.ends_with("-virtual")) return GpuCode::native;
    if (compiles && !suffix.ends_with("-real")) best = GpuCode::compiled;
  }
  return best;
}

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

std::vector<std::string> gpu_troubles(const cuda::CudaInfo& info, const Machine& machine,
                                      const std::optional<std::string>& visible) {
  if (!info.built) {
    const bool there = machine.nvidia_hardware || !machine.nvidia_module.empty();
    return {fmt::format("no GPU: this basesweep was built without CUDA{}",
                        there ? "; there is an NVIDIA GPU, which a build with BASESWEEP_CUDA=ON uses" : "")};
  }
  if (!info.library_found) return {no_library(machine)};
  if (info.driver == 0) return {"no GPU: libcuda.so.1 is there, but reports no driver; install the NVIDIA driver"};
  if (info.driver / 1000 < info.runtime / 1000) {
    return {
        fmt::format("no GPU: the driver{} supports CUDA up to {}, but this basesweep needs {}; install a newer driver",
                    machine.nvidia_module.empty() ? "" : " " + machine.nvidia_module, cuda_version(info.driver),
                    cuda_version(info.runtime))};
  }
  if (info.gpus.empty()) return {no_device(info, machine, visible)};
  std::vector<std::string> troubles;
  for (const cuda::GpuInfo& gpu : info.gpus) {
    if (!gpu.unusable) continue;
    std::string text = fmt::format("GPU {} is not usable: {}", gpu.index, *gpu.unusable);
    if (gpu.major != 0 && code_for(info.architectures, gpu.major, gpu.minor) == GpuCode::none) {
      text += fmt::format(
          "; it has compute capability {}.{}, but this build is for {}; use a build for it (preset release)", gpu.major,
          gpu.minor, info.architectures);
    }
    troubles.push_back(std::move(text));
  }
  return troubles;
}

}  // namespace basesweep
