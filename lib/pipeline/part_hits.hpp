// The second half of `motif`, `match` and `pwm` for hits that parts hold: select -> format -> write.
#pragma once

#include <cstdint>
#include <functional>

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/rows/placed_hit.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// The needs of parts beyond a hit's own fields, see need: its letters, unless they always equal those of its pattern.
unsigned needs_of_part(const PatternSet& patterns, std::uint32_t flank);

struct PartHitOptions {
  SelectOptions select{};
  bool circular = false;  // records may be
  int threads = 1;
  // Checks the letters of a hit whose other fields are checked already. Null: they need no check. Any thread may call
  // it.
  std::function<bool(const PlacedHit&)> can_be{};
};

// Chooses among the hits of all parts, and writes header and hits, as run_pipeline() does with the hits of batches. The
// summary's members about the input are left empty. The output's `records` are those that the header lists. Throws
// IoError and DataError.
RunSummary run_part_hits(const PartHitOptions& options, PartSet& parts, const PatternSet& patterns,
                         const PipelineOutput& output);

}  // namespace basesweep
