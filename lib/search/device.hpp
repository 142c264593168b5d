// Where a search runs, and how `--device` and messages name it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace basesweep {

enum class Device {
  automatic,  // the GPU where that is expected to be faster, start-up included; else the CPU
  cpu,
  gpu,
};

// "auto", "cpu" or "gpu".
const char* to_string(Device device);

// The device, and the number of the GPU from 0, that "auto", "cpu", "gpu" (number 0) or "gpu:N" names; nothing for
// other text. N has at most 4 digits.
std::optional<std::pair<Device, int>> device_named(std::string_view text);

// The text that device_named() understands: "auto", "cpu" or "gpu:N". `gpu` counts for Device::gpu only.
std::string device_name(Device device, int gpu);

}  // namespace basesweep
