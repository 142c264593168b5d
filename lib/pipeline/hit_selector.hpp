// Decides, in output order, which hits are written (--report best, --non-overlapping, --max-hits), and counts them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

struct SelectOptions {
  bool best = false;  // only hits with the fewest edits of their pattern; known when all hits have come
  // Per record, pattern and strand, drop hits that start before the end of the last one kept, and one over a record's
  // origin that overlaps the first one kept.
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits{};  // stop after this many
  bool best_per_record = false;   // only the best hits of each record; BestPerRecord chooses them before HitSelector
  bool patterns_compete = false;  // for best_per_record: all patterns of a record are compared with each other
  std::function<void(std::int64_t record)> mark{};  // called for every hit that is written
  bool by_source = false;                           // count the hits of each input file apart
  bool by_edits = false;                            // count hits with different numbers of edits apart
};

// Hits counted by file or number of edits.
struct FineCounts {
  bool by_source = false;   // otherwise all files count as source 0
  bool by_edits = false;    // otherwise all hits count as without edits
  std::uint32_t width = 1;  // numbers of edits: 0 to width - 1
  // The counts of each source, by query and number of edits. A source without hits may be empty or missing.
  std::vector<std::vector<std::uint64_t>> counts{};

  std::uint64_t at(std::size_t source, std::size_t query, std::size_t edits) const {
    return source < counts.size() && !counts[source].empty() ? counts[source][query * width + edits] : 0;
  }
};

// Hits must come in output order. Not thread-safe.
class HitSelector {
 public:
  HitSelector(const PatternSet& patterns, SelectOptions options);

  // Drops the hits of a batch that are not written, and counts the others. With `best`, drops only hits that are known
  // not to be best, and counts none: the others must go through keep() when all batches have come.
  void select(const PackedBatch& batch, std::vector<Hit>& hits);
  // Whether a hit that starts at `start` (0-based) in the record is written. If so, counts it and sets Hit::first.
  // `source`: index of the record's file. `circular_length`: see Segment.
  bool keep(std::int64_t record, std::int64_t start, Hit& hit, std::uint32_t source = 0,
            std::int64_t circular_length = 0);
  // With `best`, for hits that will come to keep(): lowers the fewest edits of its pattern.
  void see(const Hit& hit);
  // Adds hits of each query that a matcher counted without listing them.
  void add_counts(const std::vector<std::uint64_t>& counts);

  // Hits written, of each query of the pattern set.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t total() const { return total_; }
  // The same by file and number of edits, if the options ask for one of them.
  const FineCounts& fine_counts() const { return fine_; }
  // Whether a hit was dropped because there were --max-hits before it.
  bool truncated() const { return truncated_; }

 private:
  void count(Hit& hit, std::uint32_t source);

  struct RecordStretch {
    std::int64_t record = -1;
    std::int64_t first_start = 0;  // of the record's first hit that was kept
    std::int64_t last_end = 0;
  };

  const PatternSet& patterns_;
  SelectOptions options_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  FineCounts fine_;
  bool truncated_ = false;
  std::vector<RecordStretch> kept_;    // of each pattern on each strand
  std::vector<std::uint16_t> lowest_;  // fewest edits so far, of each pattern
  std::vector<bool> pattern_written_;  // a hit of the pattern was counted
};

}  // namespace basesweep
