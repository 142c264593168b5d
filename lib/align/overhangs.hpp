// Candidates that hang over the ends of records (match --overhang).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/align/overhang_filter.hpp"
#include "lib/search/hit.hpp"
#include "lib/search/query.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

// The positions [begin, end) of the pattern, in its own direction, that lie inside the record.
struct PatternPart {
  std::uint32_t begin;
  std::uint32_t end;
};
PatternPart part_inside(const Query& query, const Hit& hit);

// The query without the positions that hang over, with the limits of what is left.
Query inside_of(const Query& query, std::uint32_t hang_left, std::uint32_t hang_right);

// A record is thought to go on at both ends with bases that match anything. A candidate hangs over when it begins
// before the record or ends after it. Outside the record each base is aligned to one position of the query, so there
// are no indels. Matchers do not report such candidates, so this class searches all borders of records. Sites are
// chosen among all intervals of the longer text, whether they hang over or not.
class Overhangs {
 public:
  // Both must outlive this. `mirrored`: each query, mirrored.
  Overhangs(const PatternSet& patterns, std::span<const Query> mirrored)
      : patterns_(patterns), mirrored_(mirrored), filter_(patterns) {}

  // `hits`: sites among the whole candidates of a batch. Adds the sites that hang over, and removes what is no site
  // beside a hanging candidate. Sites outside of the batch's own positions may be added too. Returns false, and leaves
  // the work undone, when more than `max_hits` hang over.
  bool add_sites(const PackedBatch& batch, std::vector<Hit>& hits, std::uint64_t max_hits) const;
  // Adds all candidates that hang over. Returns false, and leaves the work undone, when there are more than `max_hits`.
  bool add_all(const PackedBatch& batch, std::vector<Hit>& hits, std::uint64_t max_hits) const;

 private:
  class Search;

  const PatternSet& patterns_;
  std::span<const Query> mirrored_;
  OverhangFilter filter_;
};

}  // namespace basesweep
