// The JSON report of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lib/demux/demux_processor.hpp"
#include "lib/demux/sample_sheet.hpp"
#include "lib/matrices/matrix_set.hpp"
#include "lib/parts/part.hpp"
#include "lib/parts/run_origin.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/pipeline/read_pipeline.hpp"
#include "lib/reader/written_sequence.hpp"
#include "lib/search/device.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Null, text or a number.
using ParameterValue = std::variant<std::monostate, std::string, std::int64_t, std::uint64_t, double>;
// The value as text; "none" for null.
std::string word_of(const ParameterValue& value);
using RunParameters = std::vector<std::pair<std::string, ParameterValue>>;

// A run, as its report describes it. In the report, everything but its origin, `timings` and `machine` is the same for
// any number of threads, device or batch size.
struct RunReport {
  std::string command;  // "motif"
  RunOrigin origin{};
  RunParameters parameters;              // options that change the result, by name
  LeftOut left_out{};                    // of the sequences of patterns
  std::string matcher;                   // Matcher::describe() or Finder::describe()
  std::vector<std::string> choices{};    // the reasons for automatic choices, see MatcherOptions::log
  std::vector<DeviceBatches> batches{};  // Matcher::batches() or Finder::batches()
  int threads = 1;
  double seconds = 0;             // of the whole run
  std::optional<PartLabel> part;  // if the run was one chunk of several
};

// The report as JSON, schema "basesweep-report/1"; see docs/report.md.
std::string json_report(const RunReport& run, const PatternSet& patterns, const RunSummary& summary);
// The report of `pwm`.
std::string json_report(const RunReport& run, const MatrixSet& matrices, const RunSummary& summary);
// The report of `pcr`.
std::string json_report(const RunReport& run, const PrimerSet& primers, const ProductSummary& summary);
// The report of `guides`.
std::string json_report(const RunReport& run, const GuideSet& guides, const GuideTable& table,
                        const GuideSummary& summary);
// The report of `map`.
std::string json_report(const RunReport& run, const Reference& reference, const MapSummary& summary);
// The report of `demux`.
std::string json_report(const RunReport& run, const SampleSheet& sheet, const SheetBarcodes& barcodes,
                        const DemuxTotals& totals, const ReadSummary& summary);

}  // namespace basesweep
