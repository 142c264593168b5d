// Decides, in output order, which hits leave: lowest edits, --non-overlapping and --max-hits. Counts what leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/hit.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

struct SelectOptions {
  bool best = false;  // only hits of their pattern's lowest edits; known when all hits were seen
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits{};
};

// Hits must come in output order. Not thread-safe.
class HitSelector {
 public:
  HitSelector(const PatternSet& patterns, SelectOptions options);

  // Takes out of a batch's hits what is not to leave. With `best`, takes out only what can be seen not to be best; what
  // stays must go through keep() when all batches were seen.
  void select(const PackedBatch& batch, std::vector<Hit>& hits);
  // Whether a hit leaves that starts at `start` in the record; then it is counted, and told whether it is the first of
  // its pattern.
  bool keep(std::int64_t record, std::int64_t start, Hit& hit);
  // Hits per entry that were counted but not stored.
  void add_counts(const std::vector<std::uint64_t>& counts);

  // Per entry of the pattern set.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t total() const { return total_; }
  // Hits that leave have reached --max-hits, and more were there.
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
  std::vector<Place> last_kept_;        // of each entry
  std::vector<std::uint16_t> lowest_;   // edits seen, of each pattern
  std::vector<bool> pattern_has_left_;  // some hit of the pattern was kept
};

}  // namespace basesweep
