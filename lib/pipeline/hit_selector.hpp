// Decides, in output order, which hits leave: --non-overlapping and --max-hits. Counts what leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/hit.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

struct SelectOptions {
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits;
};

// Batches must come in order. Not thread-safe.
class HitSelector {
 public:
  HitSelector(const PatternSet& patterns, SelectOptions options);

  // Takes out of `result` what is not to leave.
  void select(const PackedBatch& batch, MatchResult& result);

  // Per entry of the pattern set.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t total() const { return total_; }
  // Hits that leave have reached --max-hits, and more were there.
  bool truncated() const { return truncated_; }

 private:
  void drop_overlapping(const PackedBatch& batch, std::vector<BatchHit>& hits);

  const PatternSet& patterns_;
  SelectOptions options_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  bool truncated_ = false;
  std::int64_t record_ = -1;
  std::vector<std::int64_t> kept_end_;  // of each entry's last kept hit in record_
};

}  // namespace basesweep
