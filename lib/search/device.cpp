#include "lib/search/device.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "lib/base/fields.hpp"

namespace basesweep {

const char* to_string(Device device) {
  switch (device) {
    case Device::automatic: return "auto";
    case Device::cpu: return "cpu";
    case Device::gpu: return "gpu";
  }
  return "";
}

std::optional<std::pair<Device, int>> device_named(std::string_view text) {
  for (const Device device : {Device::automatic, Device::cpu, Device::gpu}) {
    if (text == to_string(device)) return std::pair{device, 0};
  }
  constexpr std::size_t kMaxDigits = 4;
  int gpu = 0;
  if (take_to(text, ':') != "gpu" || text.size() > kMaxDigits || text.starts_with('-') || !parse_number(text, gpu)) {
    return std::nullopt;
  }
  return std::pair{Device::gpu, gpu};
}

std::string device_name(Device device, int gpu) {
  return device == Device::gpu ? fmt::format("gpu:{}", gpu) : to_string(device);
}

}  // namespace basesweep
