// The samples of a sheet whose reads have structures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/demux/sample_sheet.hpp"
#include "lib/structure/read_layout.hpp"

namespace basesweep {

// A sample by the layout of its reads.
struct StructureSample {
  std::uint32_t layout = 0;  // number of the layout
  std::string barcode;       // of all its segments together, IUPAC codes
  std::uint32_t limit = 0;   // the most mismatches that its reads may have
};

struct StructureSheet {
  std::vector<ReadLayout> layouts;  // each once
  std::vector<StructureSample> samples;
};

struct StructureSearch {
  std::vector<std::string> structures;   // of samples without one of their own; empty: there are none
  std::optional<std::uint32_t> edits{};  // of a barcode; before `rate`, after SheetSample::edits
  std::optional<double> rate{};          // of the bases of a barcode; without it a barcode may have one mismatch
  std::uint32_t margin = 2;
};

// Throws UsageError for a fault in StructureSearch::structures; DataError, which names the line, for one in the sheet,
// for a sample without a structure or with a barcode that does not fit in it, and for two samples that no read could
// tell apart. Adds warnings to the sheet for samples that are nearer to each other than twice the margin, and for
// columns that are not used.
StructureSheet structures_of(SampleSheet& sheet, const StructureSearch& search);

}  // namespace basesweep
