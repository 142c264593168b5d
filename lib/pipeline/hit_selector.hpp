// Decides, in output order, which hits are written (--report best, --non-overlapping, --max-hits), and counts them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lib/search/hit.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

struct SelectOptions {
  bool best = false;             // only hits with the fewest edits of their pattern; known when all hits have come
  bool non_overlapping = false;  // per record and query, drop hits that start before the end of the last one kept
  std::optional<std::uint64_t> max_hits{};  // stop after this many
  bool best_per_record = false;   // only the best hits of each record; BestPerRecord chooses them before HitSelector
  bool patterns_compete = false;  // for best_per_record: all patterns of a record are compared with each other
  std::function<void(std::int64_t record)> mark{};  // called for every hit that is written
};

// Hits must come in output order. Not thread-safe.
class HitSelector {
 public:
  HitSelector(const PatternSet& patterns, SelectOptions options);

  // Drops the hits of a batch that are not written, and counts the others. With `best`, drops only hits that are known
  // not to be best, and counts none: the others must go through keep() when all batches have come.
  void select(const PackedBatch& batch, std::vector<Hit>& hits);
  // Whether a hit that starts at `start` (0-based) in the record is written. If so, counts it and sets Hit::first.
  bool keep(std::int64_t record, std::int64_t start, Hit& hit);
  // Adds hits of each query that a matcher counted without listing them.
  void add_counts(const std::vector<std::uint64_t>& counts);

  // Hits written, of each query of the pattern set.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t total() const { return total_; }
  // Whether a hit was dropped because there were --max-hits before it.
  bool truncated() const { return truncated_; }

 private:
  void count(Hit& hit);

  struct Place {
    std::int64_t record = -1;
    std::int64_t end = 0;
  };

  const PatternSet& patterns_;
  SelectOptions options_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  bool truncated_ = false;
  std::vector<Place> last_kept_;       // of each query
  std::vector<std::uint16_t> lowest_;  // fewest edits so far, of each pattern
  std::vector<bool> pattern_written_;  // a hit of the pattern was counted
};

}  // namespace basesweep
