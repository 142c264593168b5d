// The count table and the JSON report of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lib/pattern_set.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/regions/part.hpp"

namespace basesweep {

// "pattern, strand, count" with a header line; a row for each strand that was searched, in the order of the patterns.
std::string count_table(const PatternSet& patterns, const std::vector<std::uint64_t>& counts);

// Null, a word or a number.
using ParameterValue = std::variant<std::monostate, std::string, std::int64_t, std::uint64_t, double>;
using RunParameters = std::vector<std::pair<std::string, ParameterValue>>;

// What a run was and did. Everything but `timings` and `machine` is the same for any threads, device or batch size.
struct RunReport {
  std::string command;       // "motif"
  RunParameters parameters;  // options that bear on the result
  std::string matcher;       // what matched, on what
  int threads = 1;
  double seconds = 0;
  std::optional<PartLabel> part;  // where it was one chunk of several
};

// The report as JSON, schema "basesweep-report/1"; see docs/report.md.
std::string json_report(const RunReport& run, const PatternSet& patterns, const RunSummary& summary);
// Likewise of `map`. `sources`: of reads.
std::string json_report(const RunReport& run, const Reference& reference, const std::vector<SourceInfo>& sources,
                        const MapSummary& summary);

}  // namespace basesweep
