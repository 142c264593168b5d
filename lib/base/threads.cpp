#include "lib/base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "lib/base/control_groups.hpp"

namespace basesweep {

int affine_processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                     : static_cast<int>(std::thread::hardware_concurrency());
}

int available_threads() {
  int processors = affine_processors();
  const double allowed = std::ceil(control_group_cpus());
  if (allowed < processors) processors = static_cast<int>(allowed);
  return std::max(processors, 1);
}

}  // namespace basesweep
