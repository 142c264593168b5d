// The second half of `guides` for places that parts hold: format -> write.
#pragma once

#include <cstdint>

#include "lib/guides/guide_set.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/pipeline/guide_pipeline.hpp"

namespace basesweep {

// Reads all parts, and writes header and places as run_guide_pipeline() does with those of batches; without formatter
// and sink it only reads. The output's `records` are those that the header lists. Returns how many rows were written.
// Throws IoError and DataError.
std::uint64_t run_part_places(PartSet& parts, const GuideSet& guides, const RowTarget& output, int threads);

}  // namespace basesweep
