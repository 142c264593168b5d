#include "lib/search/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"

namespace basesweep {
namespace {

// Parses "0,2". Throws UsageError.
std::vector<int> parse_gpus(std::string_view list, const std::string& option) {
  constexpr std::size_t kMaxDigits = 4;
  std::vector<int> gpus;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view number = list.substr(0, comma);
    int gpu = 0;
    if (number.size() > kMaxDigits || number.starts_with('-') || !parse_number(number, gpu)) {
      throw UsageError(fmt::format("{}: '{}' is not the number of a GPU", option, number));
    }
    if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end()) {
      throw UsageError(fmt::format("{}: GPU {} is named twice", option, gpu));
    }
    gpus.push_back(gpu);
    if (comma == std::string_view::npos) return gpus;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

const char* to_string(Device device) {
  switch (device) {
    case Device::automatic: return "auto";
    case Device::cpu: return "cpu";
    case Device::gpu: return "gpu";
  }
  return "";
}

DeviceChoice parse_device(std::string_view text, const std::string& option) {
  for (const Device device : {Device::automatic, Device::cpu, Device::gpu}) {
    if (text == to_string(device)) return {device};
  }
  if (text == "gpu:all") return {Device::gpu, {}};
  constexpr std::string_view kPrefix = "gpu:";
  if (text.starts_with(kPrefix)) return {Device::gpu, parse_gpus(text.substr(kPrefix.size()), option)};
  throw UsageError(option + ": expected auto, cpu, gpu, gpu:N, gpu:N,N or gpu:all");
}

std::string device_name(Device device, int gpu) {
  return device == Device::gpu ? fmt::format("gpu:{}", gpu) : to_string(device);
}

}  // namespace basesweep
