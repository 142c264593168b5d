// What the plots of `map` need, as the key `plots` of its report (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/reads/reference.hpp"
#include "lib/tallies/read_tally.hpp"

namespace basesweep {

void add_map_plots(const MappedReads& reads, const Reference& reference, nlohmann::ordered_json& report);

}  // namespace basesweep
