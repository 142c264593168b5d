// The key `plots` of the report of `guides`: the numbers that its plots show (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/guides/guide_set.hpp"
#include "lib/tallies/guide_tally.hpp"

namespace basesweep {

// `side`: of the PAM.
void add_guide_plots(const GuideTally::Counts& counts, PamSide side, nlohmann::ordered_json& report);

}  // namespace basesweep
