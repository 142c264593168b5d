// Hits that were stored, on their way to the output: select -> split -> format -> write.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

struct LateHitOptions {
  bool select = false;            // hits must pass HitSelector::keep()
  bool best_per_record = false;   // and be the best of their record
  bool patterns_compete = false;  // for best_per_record: see BestPerRecord
  bool split = false;             // at the origins of circular records, see SplitHits
  int threads = 1;
  std::string directory{};  // of temporary files
};

// Gives the blocks of stored hits, in output order; see RowStages::next.
using NextHits = std::function<std::optional<StoredRows<PlacedHit>>()>;

// Writes the hits, without a header, on the task arena that it is called in. `names`: checks the records of hits that
// are written. `formatter`, `sink`: null: hits are only selected, which counts them. Throws IoError and DataError.
void write_late_hits(const LateHitOptions& options, const NextHits& next, const PatternSet& patterns,
                     HitSelector& selector, NameCheck& names, const Formatter* formatter, ByteSink* sink);

// Calls see(hit) for all hits.
void see_hits(const NextHits& next, int threads, const std::function<void(const PlacedHit&)>& see);

}  // namespace basesweep
