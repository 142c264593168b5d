// The tables that `demux` writes about a run.
#pragma once

#include <string>
#include <vector>

#include "lib/demux/demux_totals.hpp"
#include "lib/demux/sample_sheet.hpp"

namespace basesweep {

// The name that reads of no sample have in tables and files.
inline constexpr const char* kUnassigned = "unassigned";

// A row for each sample, and one for the reads of none: sample, reads, bases, mean_edits, share.
std::string summary_table(const SampleSheet& sheet, const DemuxTotals& totals);
// A row for each reason, and for each unexpected pair: reason, barcode, barcode2, reads.
std::string reasons_table(const SheetBarcodes& barcodes, const DemuxTotals& totals);

}  // namespace basesweep
