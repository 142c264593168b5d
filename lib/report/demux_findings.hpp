// What `demux` found, as keys of its report (docs/report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lib/demux/demux_totals.hpp"
#include "lib/demux/sample_sheet.hpp"
#include "lib/pipeline/read_pipeline.hpp"

namespace basesweep {

// `inputs`, `samples`, `unassigned`, `unexpected_pairs` where there are any, and `reads`.
void add_samples(const SampleSheet& sheet, const SheetBarcodes& barcodes, const DemuxTotals& totals,
                 const ReadSummary& summary, nlohmann::ordered_json& report);

}  // namespace basesweep
