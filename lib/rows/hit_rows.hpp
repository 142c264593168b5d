// Hits of `motif` and `match` as rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/rows/placed_hit.hpp"
#include "lib/rows/rows.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

struct Query;  // lib/search/query.hpp

struct HitRowOptions {
  std::uint32_t flank = 0;           // bases on both sides; at most kMaxFlank
  std::vector<std::string> files{};  // names of the inputs
  bool pairs = false;                // records 2 i and 2 i + 1 are mates
  bool standing = false;             // PlacedHit::standing is known
  bool edits_of_exact = false;       // hits of an exact search have the columns of edits too: they have none
};

// Numbers of edits by kind, named as in CIGAR.
struct EditKinds {
  std::uint32_t mismatches;
  std::uint32_t insertions;  // bases of the pattern that the text lacks
  std::uint32_t deletions;   // bases of the text that the pattern lacks
};
EditKinds edit_kinds(const Hit& hit, const Query& query);

// The score of BED: 1000 (1 - edits / length of the pattern), rounded half up; bases that hang over count like edits.
std::int64_t hit_score(const Hit& hit, const Query& query);

// Rows are PlacedHits.
class HitRows final : public Rows {
 public:
  // `patterns` must outlive this.
  explicit HitRows(const PatternSet& patterns, HitRowOptions options = {});

  void prepare(const Row& row, unsigned needs) const override;
  std::size_t variants() const override { return patterns_.queries().size(); }
  std::size_t variant(const Row& row) const override { return static_cast<const PlacedHit&>(row).hit.query; }
  void show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const override;
  LineShape shape(OutputFormat format) const override;
  std::uint32_t flank() const override { return options_.flank; }

  const PatternSet& patterns() const { return patterns_; }
  bool pairs() const { return options_.pairs; }
  const Query& query(const PlacedHit& hit) const { return patterns_.queries()[hit.hit.query]; }

 private:
  const PatternSet& patterns_;
  const HitRowOptions options_;
};

}  // namespace basesweep
