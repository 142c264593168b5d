// The filters that come after all steps of trimming. Rules: docs/reads.md.
#pragma once

#include <span>
#include <string_view>

#include "lib/trim/trim_settings.hpp"

namespace basesweep {

// A read as the steps of trimming leave it.
struct FilteredRead {
  std::size_t mate = 0;
  std::string_view bases;
  std::string_view quality;  // empty: it has none
  bool has_adapter = false;
};

// The first filter that the read, or the pair, fails; TrimReason::written if it passes all. `reads`: one read, or two
// mates.
TrimReason judge(const TrimSettings& settings, std::span<const FilteredRead> reads);

}  // namespace basesweep
