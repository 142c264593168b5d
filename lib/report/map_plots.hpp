// The key `plots` of the report of `map`: the numbers that its plots show (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/reads/reference.hpp"
#include "lib/tallies/read_tally.hpp"

namespace basesweep {

void add_map_plots(const MappedReads& reads, const Reference& reference, nlohmann::ordered_json& report);

}  // namespace basesweep
