#include "lib/base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <thread>
#include <vector>

#include "lib/base/control_groups.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

// Starts threads until there are `wanted` or the system refuses; ends them all and returns how many there were.
int startable_threads(int wanted) {
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  try {
    for (int i = 0; i < wanted; ++i) threads.emplace_back([&over] { over.wait(false); });
  } catch (const std::exception&) {
    // no more threads, or no memory for them
  }
  over = true;
  over.notify_all();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

constexpr int kPools = 4;   // workers, and helpers for input, output and spool
constexpr int kOthers = 3;  // threads that feed the helpers

}  // namespace

int affine_processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                     : static_cast<int>(std::thread::hardware_concurrency());
}

int available_threads() {
  int processors = affine_processors();
  static const double allowed = std::ceil(control_group_cpus());  // its files are read once
  if (allowed < processors) processors = static_cast<int>(allowed);
  return std::max(processors, 1);
}

int affordable_threads(int workers) {
  const int wanted = workers == 1 ? 1 : kPools * workers + kOthers;  // with one worker there are no helpers
  const int given = startable_threads(wanted);
  if (given == 0) {
    throw Error(kExitFailure, "the system refuses to start a thread: too many run already, or memory is short");
  }
  return given == wanted ? workers : std::max(1, (given - kOthers) / kPools);
}

}  // namespace basesweep
