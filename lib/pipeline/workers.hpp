// As many workers of oneTBB as were asked for.
#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <cstddef>
#include <optional>

namespace basesweep {

// While it lives oneTBB may have `threads` workers, where by itself it would have fewer. It never takes any from other
// parts of the process, which a task arena of `threads` does not either.
class Workers {
 public:
  explicit Workers(int threads) {
    if (threads < tbb::info::default_concurrency()) return;
    control_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads) + 1);
  }

 private:
  std::optional<tbb::global_control> control_;
};

}  // namespace basesweep
