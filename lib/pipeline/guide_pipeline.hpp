// The flow graph of `guides`: reader -> packer -> batcher -> finder -> writer.
#pragma once

#include <cstdint>

#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/pipeline/text_run.hpp"

namespace basesweep {

struct GuidePipelineOptions : TextOptions {
  const Annotation* annotation = nullptr;  // places have the features that they overlap; null: none
  GuideRowOf row = GuideRowOf::place;      // regions and lower case keep or drop each row by its own interval
};

struct GuideSummary : TextSummary {
  std::uint64_t rows = 0;  // that were written
};

// Runs the input through the finder, adds all places to the table, and writes them in order: record, start, end,
// strand, guide, PAM. Throws like run_pipeline(). A batch holds its places.
GuideSummary run_guide_pipeline(const GuidePipelineOptions& options, BlockSource& source, const GuideSet& guides,
                                const GuideFinder& finder, GuideTable& table, const RowTarget& output);

}  // namespace basesweep
