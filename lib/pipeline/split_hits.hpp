// Hits in the order of BED, where a hit over the origin of a circular record is two lines.
#pragma once

#include <functional>
#include <string>

#include "lib/writer/hit_copies.hpp"
#include "lib/writer/hit_spool.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Splits a hit over the origin into its head, [start, length), and its tail, [0, end - length). Only their places
// differ: both have the letters, the edits and all else of the whole hit. Tails belong to the begin of
// their record but are found at its end. So heads and other hits wait in one spool, tails in another, and both are read
// side by side. Not thread-safe.
class SplitHits {
 public:
  // `directory`, `threads`: of the spools. `patterns` must outlive this object.
  SplitHits(const std::string& directory, int threads, const PatternSet& patterns);

  // Copies the hit. Hits must come in output order. Throws IoError.
  void add(const PlacedHit& hit);
  // Calls `use` with every hit that was added, or its head and its tail, ordered by record, start, end, strand,
  // pattern. To be called once, after the last add(). Throws IoError.
  void replay(const std::function<void(const PlacedHit&)>& use);

 private:
  bool before(const PlacedHit& a, const PlacedHit& b) const;
  void flush(HitCopies& hits, HitSpool& to) const;
  void end_record();

  const PatternSet& patterns_;
  HitSpool spool_;  // heads and hits that are not split
  HitSpool tails_spool_;
  std::int64_t record_ = -1;  // of the last hit
  HitCopies group_;           // hits with the start of the last one: heads change the order of their ends
  HitCopies tails_;           // of this record
};

}  // namespace basesweep
