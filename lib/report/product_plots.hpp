// The key `plots` of the report of `pcr`: the numbers that its plots show (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/pipeline/text_run.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/tallies/product_tally.hpp"

namespace basesweep {

// `lengths_known`: the tally's LongestRecords were told of all records.
void add_product_plots(ProductTally& tally, const PrimerSet& primers, const TextSummary& summary, bool lengths_known,
                       nlohmann::ordered_json& report);

}  // namespace basesweep
