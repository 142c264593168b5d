#include "lib/base/control_groups.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

namespace basesweep {
namespace {

// The folders of the process's control group and all groups around it (version 2 of control groups). The group is the
// line "0::/path" of /proc/self/cgroup.
std::vector<std::string> folders(const std::string& root) {
  std::vector<std::string> folders = {root};
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string path = line.substr(3); path.size() > 1; path.resize(path.rfind('/'))) {
      folders.push_back(root + path);
    }
  }
  return folders;
}

// The CPUs that a group allows by its file cpu.max, "quota period" or "max period" (version 2).
double cpus_of(const std::string& folder) {
  std::string quota;
  double period = 0;
  std::ifstream file(folder + "/cpu.max");
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return INFINITY;
  return std::stod(quota) / period;
}

}  // namespace

double control_group_cpus(const std::string& root) {
  double allowed = INFINITY;
  for (const std::string& folder : folders(root)) allowed = std::min(allowed, cpus_of(folder));
  // Version 1 has one file for the quota and one for the period.
  double quota_us = 0;
  double period = 0;
  std::ifstream v1_quota(root + "/cpu/cpu.cfs_quota_us");
  std::ifstream v1_period(root + "/cpu/cpu.cfs_period_us");
  if (v1_quota >> quota_us && v1_period >> period && quota_us > 0 && period > 0) {
    allowed = std::min(allowed, quota_us / period);
  }
  return allowed;
}

std::optional<std::uint64_t> control_group_memory_bytes(const std::string& root) {
  constexpr std::uint64_t kNone = std::uint64_t{1} << 62;  // version 1 writes a number near 2^63 for no limit
  std::uint64_t allowed = kNone;
  const auto look = [&allowed](const std::string& path) {
    std::uint64_t bytes = 0;
    if (std::ifstream file(path); file >> bytes) allowed = std::min(allowed, bytes);  // fails when it holds "max"
  };
  for (const std::string& folder : folders(root)) look(folder + "/memory.max");
  look(root + "/memory/memory.limit_in_bytes");
  if (allowed == kNone) return std::nullopt;
  return allowed;
}

}  // namespace basesweep
