// Lets oneTBB have enough workers, and starts them.
#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

namespace basesweep {

// While this lives, oneTBB may have `threads` workers even if it would allow itself fewer. Other code in the process
// may have raised the limit too. The lowest limit of all controls counts, so this one never sets a lower limit than
// the one in force.
class Workers {
 public:
  explicit Workers(int threads) {
    if (threads < tbb::info::default_concurrency()) return;
    constexpr auto kLimit = tbb::global_control::max_allowed_parallelism;
    const std::size_t wanted = static_cast<std::size_t>(threads) + 1;
    control_.emplace(kLimit, std::max(wanted, tbb::global_control::active_value(kLimit)));
  }

 private:
  std::optional<tbb::global_control> control_;
};

// Starts the workers of an arena that has `threads` of them, and waits up to a tenth of a second until they run. oneTBB
// starts a worker when there is work for it. If the system refuses the thread then, the flow graph that gave the work
// waits for ever; here it is an error. Does nothing when the process has started as many before. Throws
// std::exception when the system refuses a thread.
void start_workers(tbb::task_arena& arena, int threads);

// Does the work on a task arena of `threads` workers, which are started first.
void on_workers(int threads, const std::function<void()>& work);

}  // namespace basesweep
