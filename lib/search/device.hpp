// Where a search runs, and how `--device` and messages name it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

enum class Device {
  automatic,  // the CPU, and a GPU beside it where that is expected to pay for its start
  cpu,
  gpu,
};

// "auto", "cpu" or "gpu".
const char* to_string(Device device);

// A device as users name it.
struct DeviceChoice {
  Device device = Device::automatic;
  // The GPUs, numbered from 0 as CUDA shows them, none twice; empty: all of them. Counts for Device::gpu only.
  std::vector<int> gpus{0};
};

// The devices that "auto", "cpu", "gpu" (GPU 0), "gpu:N", "gpu:N,N" or "gpu:all" name. N has at most 4 digits. Throws
// UsageError for other text; its message begins with `option`, such as "--device x".
DeviceChoice parse_device(std::string_view text, const std::string& option);

// The text that parse_device() understands: "auto", "cpu" or "gpu:N". `gpu` counts for Device::gpu only.
std::string device_name(Device device, int gpu);

// How many batches a device searched.
struct DeviceBatches {
  std::string device;  // "cpu", "gpu 0"
  std::uint64_t batches;
};

}  // namespace basesweep
