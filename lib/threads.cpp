#include "lib/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace basesweep {
namespace {

// What a cpu.max of version 2 allows: "quota period" or "max period".
double cpus_of(const std::string& folder) {
  std::string quota;
  double period = 0;
  std::ifstream file(folder + "/cpu.max");
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return INFINITY;
  return std::stod(quota) / period;
}

// CPUs' worth of time that the control groups allow; infinity where nothing says so. Version 2: the process's group,
// named in a line "0::/path", and all groups around it. Version 1 keeps quota and period in a file each.
double control_group_cpus() {
  const std::string root = "/sys/fs/cgroup";
  double allowed = cpus_of(root);
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string path = line.substr(3); path.size() > 1; path.resize(path.rfind('/'))) {
      allowed = std::min(allowed, cpus_of(root + path));
    }
  }
  double quota_us = 0;
  double period = 0;
  std::ifstream v1_quota(root + "/cpu/cpu.cfs_quota_us");
  std::ifstream v1_period(root + "/cpu/cpu.cfs_period_us");
  if (v1_quota >> quota_us && v1_period >> period && quota_us > 0 && period > 0) {
    allowed = std::min(allowed, quota_us / period);
  }
  return allowed;
}

}  // namespace

int available_threads() {
  cpu_set_t set;
  int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                               : static_cast<int>(std::thread::hardware_concurrency());
  const double allowed = std::ceil(control_group_cpus());
  if (allowed < processors) processors = static_cast<int>(allowed);
  return std::max(processors, 1);
}

}  // namespace basesweep
