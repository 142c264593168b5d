// The key `plots` of a report: the numbers that its plots show (docs/report.md).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lib/base/histogram.hpp"
#include "lib/matrices/matrix_set.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/tallies/hit_tally.hpp"

namespace basesweep {

// [[from, to, count], ...]
nlohmann::ordered_json bins_of(const Histogram& histogram);

// The longest records with what was counted along them: "name", "length", "hits", "bin", "counts". `along`: by the
// records' numbers.
nlohmann::ordered_json density_rows(const LongestRecords& longest, const std::map<std::int64_t, PositionBins>& along);
// `records`: the longest records and how many rows start where along them.
void add_density(const LongestRecords& longest, const std::map<std::int64_t, PositionBins>& along,
                 const TextSummary& summary, nlohmann::ordered_json& plots);

// `plots` of `motif` and `match`. `lengths_known`: the tally's LongestRecords were told of all records.
void add_hit_plots(HitTally& tally, const PatternSet& patterns, const RunSummary& summary, bool lengths_known,
                   nlohmann::ordered_json& report);
// The same of `pwm`, and what plots need of the matrices with most hits.
void add_matrix_plots(HitTally& tally, const MatrixSet& matrices, const RunSummary& summary, bool lengths_known,
                      nlohmann::ordered_json& report);

}  // namespace basesweep
