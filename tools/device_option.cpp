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
  if (const auto named = device_named(text)) return *named;
  throw UsageError(fmt::format("--device {}: expected auto, cpu, gpu or gpu:N", text));
}

}  // namespace basesweep
