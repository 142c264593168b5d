// The rows of a place for each kind and size of bulge.
#pragma once

#include <vector>

#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
struct Segment;     // lib/search/segment.hpp

class BulgeRows {
 public:
  // `guides` must outlive this.
  explicit BulgeRows(const GuideSet& guides);
  // Appends the place once for each kind and size of bulge that one of its alignments has, with the lowest of these by
  // rank_of(): the one with the fewest mismatches. `segment`: the one that the place lies in. Thread-safe.
  void append(const PackedBatch& batch, const Segment& segment, const GuidePlace& place,
              std::vector<GuidePlace>& rows) const;

 private:
  const GuideSet& guides_;
  std::vector<GuideBits> bits_;  // of each guide
};

}  // namespace basesweep
