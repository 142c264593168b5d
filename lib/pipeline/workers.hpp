// As many workers of oneTBB as were asked for.
#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace basesweep {

// While it lives oneTBB may have `threads` workers, where by itself it would have fewer. What else in the process has
// asked for more keeps it: of several controls the least counts, so this one asks for as much.
class Workers {
 public:
  explicit Workers(int threads) {
    if (threads < tbb::info::default_concurrency()) return;
    constexpr auto kMost = tbb::global_control::max_allowed_parallelism;
    const std::size_t wanted = static_cast<std::size_t>(threads) + 1;
    control_.emplace(kMost, std::max(wanted, tbb::global_control::active_value(kMost)));
  }

 private:
  std::optional<tbb::global_control> control_;
};

}  // namespace basesweep
