// From the ends that a matcher found to hits: finds the cost of each candidate and chooses those to report.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/align/overhangs.hpp"
#include "lib/search/hit.hpp"
#include "lib/search/match_block.hpp"
#include "lib/search/occurrence.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

// The choice of hits among candidates. An interval of text is a candidate when the whole query can be aligned to it
// within the query's limits. Candidates are ranked by (edits, indels, length), lowest first.
enum class Report {
  sites,            // those of lowest rank among all with their start, and also among all with their end
  minima,           // sites that overlap no site of the same query with lower (edits, indels)
  best,             // sites; HitSelector then keeps those with the fewest edits of their pattern
  all,              // every candidate
  best_per_record,  // sites; BestPerRecord then keeps those with the fewest edits of their record
};

// How many positions a batch needs on either side of its own, so that its hits do not depend on where it ends.
std::uint32_t halo_positions(const PatternSet& patterns, Report report);

class Resolver {
 public:
  // `patterns` must outlive this object. `skip_soft_masked`: drop hits that touch lower case. `reach`: hits that start
  // up to this many positions behind those that the batch owns are found too; its right halo must be larger by as many.
  Resolver(const PatternSet& patterns, Report report, bool skip_soft_masked, std::uint32_t reach = 0);

  // The hits that start in the positions that the batch owns, or in reach of them, ordered by position, length, strand,
  // pattern. `ends`: the occurrences that a matcher found in the batch, sorted. They must include every end of a
  // candidate inside a record, and may include others. Candidates that hang over are found here. Thread-safe.
  std::vector<Hit> resolve(const PackedBatch& batch, std::span<const Occurrence> ends) const;
  // The same; nothing, soon, if there are more than `max_hits`.
  std::optional<std::vector<Hit>> resolve(const PackedBatch& batch, std::span<const Occurrence> ends,
                                          std::uint64_t max_hits) const;

 private:
  class Search;

  // A query without indels whose mismatches are counted at once.
  struct Ungapped {
    MatchBlock block;
    std::uint64_t clamped;  // a bit for each clamped position
  };
  static bool is_ungapped(const Query& query);
  static Ungapped ungapped(const Query& query);

  void keep_minima(std::vector<Hit>& sites) const;
  void sort(std::vector<Hit>& hits) const;

  const PatternSet& patterns_;
  Report report_;
  bool skip_soft_masked_;
  std::uint32_t reach_;
  std::vector<BaseSet> mirrored_sets_;  // of all in mirrored_
  std::vector<Query> mirrored_;         // each query, mirrored; empty if all are ungapped and none may hang over
  std::optional<Overhangs> overhangs_;
};

}  // namespace basesweep
