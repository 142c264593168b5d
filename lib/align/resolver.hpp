// From the ends that a matcher found to hits: what each place costs, and which places are reported.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/hit.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// Which candidates are hits. An interval of text is a candidate when the whole entry can be turned into it within the
// entry's limits; its rank is (edits, indels, length), least first.
enum class Report {
  sites,   // first of all with the same start and first of all with the same end
  minima,  // sites that overlap no site of the same entry with smaller (edits, indels)
  best,    // sites; the selector keeps those of the pattern's lowest edits
  all,     // every candidate
};

// Columns that a batch must show on either side of its own for its hits not to depend on where it ends.
std::uint32_t halo_columns(const PatternSet& patterns, Report report);

class Resolver {
 public:
  // `patterns` must outlive it. `skip_soft_masked`: drop hits that touch lower case.
  Resolver(const PatternSet& patterns, Report report, bool skip_soft_masked);

  // The hits that start in the columns the batch owns, ordered by column, length, strand, pattern. `ends`: what a
  // matcher found in the batch, sorted; may hold more than the true ends, not fewer. Thread-safe.
  std::vector<Hit> resolve(const PackedBatch& batch, std::span<const BatchHit> ends) const;

 private:
  class Search;
  void keep_minima(std::vector<Hit>& sites) const;
  void sort(std::vector<Hit>& hits) const;

  const PatternSet& patterns_;
  Report report_;
  bool skip_soft_masked_;
  std::vector<Entry> mirrored_;  // of each entry
};

}  // namespace basesweep
