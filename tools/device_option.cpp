#include <fmt/format.h>

#include <cstdio>

#include "lib/error.hpp"
#include "tools/commands.hpp"

namespace basesweep {

void tell(const std::string& text) {
  const std::string line = "basesweep: " + text + "\n";
  std::fputs(line.c_str(), stderr);
}

std::pair<Device, int> parse_device(const std::string& text) {
  if (text == "auto") return {Device::automatic, 0};
  if (text == "cpu") return {Device::cpu, 0};
  if (text == "gpu") return {Device::gpu, 0};
  if (text.size() > 4 && text.size() < 9 && text.compare(0, 4, "gpu:") == 0 &&
      text.find_first_not_of("0123456789", 4) == std::string::npos) {
    return {Device::gpu, std::stoi(text.substr(4))};
  }
  throw UsageError(fmt::format("--device {}: expected auto, cpu, gpu or gpu:N", text));
}

}  // namespace basesweep
