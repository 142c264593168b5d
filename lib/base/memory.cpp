#include "lib/base/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>

#include "lib/base/control_groups.hpp"

namespace basesweep {

std::uint64_t meminfo_bytes(const char* name) {
  const std::string key = std::string(name) + ":";
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
  }
  return 0;
}

std::uint64_t available_memory_bytes() {
  std::uint64_t bytes = meminfo_bytes("MemAvailable");
  bytes = std::min(bytes, control_group_memory_bytes().value_or(bytes));
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<std::uint64_t>(bytes, addresses.rlim_cur);
  }
  return bytes;
}

std::uint64_t lately_available_memory_bytes() {
  struct Reading {
    std::mutex mutex;
    std::optional<std::chrono::steady_clock::time_point> taken{};
    std::uint64_t bytes = 0;
  };
  static Reading last;
  const std::lock_guard lock(last.mutex);
  const auto now = std::chrono::steady_clock::now();
  if (!last.taken || now - *last.taken > std::chrono::seconds(1)) {
    last.bytes = available_memory_bytes();
    last.taken = now;
  }
  return last.bytes;
}

}  // namespace basesweep
