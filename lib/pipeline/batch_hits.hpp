// The hits of a batch, made from what a matcher found in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

class BatchHits {
 public:
  // `patterns` must outlive this object. `report` and `skip_soft_masked` matter to approximate search only.
  BatchHits(const PatternSet& patterns, Report report, bool skip_soft_masked);

  // The hits that start in positions that the batch owns and that are requested, and on circular records only those
  // that start in the record and are not longer than it. They are ordered by position, length, strand, pattern.
  // `found`: the sorted occurrences of the batch. Nothing, if there are more than `max_hits` before that choice.
  // Thread-safe.
  std::optional<std::vector<Hit>> resolve(const PackedBatch& batch, std::span<const Occurrence> found,
                                          std::uint64_t max_hits) const;

 private:
  std::vector<Hit> exact_hits(std::span<const Occurrence> found) const;

  const PatternSet& patterns_;
  std::optional<Resolver> resolver_;  // in approximate search
};

}  // namespace basesweep
