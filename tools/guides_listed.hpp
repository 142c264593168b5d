// The designed guides that a page lists.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lib/compiled/field_bytes.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/tallies/guide_tally.hpp"

namespace basesweep {

class ListedDesigns {
 public:
  // Takes all rows of the table.
  GuideTally& tally() { return tally_; }

  // Lists the guides, when all rows have come. GuideTally::count() had the numbers of their sites as the
  // low 32 bits of `order`.
  void list(const TextSites& sites, std::uint32_t mismatches, const GuideJoin::Loop& loop);
  // After list(): the places of the first guides, for a part.
  void print(FieldWriter& to) const;
  // Takes what a part says of its first guides, which are the first of the run if no other part has better ones.
  void take(FieldReader& from);
  // Lists the guides when all rows and parts have come.
  void list();

  const GuideTally::Counts& counts() const { return counts_; }

 private:
  GuideTally tally_{true};
  GuideTally::Counts counts_;
  std::unordered_map<std::uint64_t, std::vector<NearPlace>> of_parts_;  // by the number of the guide
};

}  // namespace basesweep
