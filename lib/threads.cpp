#include "lib/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace basesweep {
namespace {

// CPUs' worth of time that the control group allows; infinity where nothing says so. Version 2 keeps "quota period" or
// "max period" in one file, version 1 a file for each.
double control_group_cpus() {
  std::string quota;
  double period = 0;
  if (std::ifstream v2("/sys/fs/cgroup/cpu.max"); v2 >> quota >> period) {
    return quota == "max" || period <= 0 ? INFINITY : std::stod(quota) / period;
  }
  double quota_us = 0;
  std::ifstream v1_quota("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream v1_period("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (v1_quota >> quota_us && v1_period >> period && quota_us > 0 && period > 0) return quota_us / period;
  return INFINITY;
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
