// From ends of reads on the reference to where the reads are aligned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/finder.hpp"
#include "lib/hit.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep {

// Where one read is aligned.
struct Placement {
  // Ordered by edits, then column, length, strand; the first is primary. Hit::entry is the entry of the batch.
  std::vector<Hit> hits;
  std::uint8_t mapq = 0;  // of the primary
};

// Finds hits as `match` defines them (Report::best, sites or all; of the whole reference, both strands together), each
// read with its own edits and no other limit. Where only some starts count (PackedBatch::asked), those are all there
// are.
//
// mapq: 0 when several sites have the lowest edits; else 60 when no other site, but those that overlap the best one on
// its strand, has at most the edits allowed; else 20 for each edit that the next best of them has more, at most 60. The
// same for every report.
class Placer {
 public:
  Placer(const PackedBatch& reference, Report report) : reference_(reference), report_(report) {}

  // `ends`: what a finder found for reads [first, end) of a batch, sorted. One placement for each of these.
  // Thread-safe.
  std::vector<Placement> place(const ReadBatch& batch, std::uint32_t first, std::uint32_t end,
                               std::span<const ReadEnd> ends) const;

 private:
  class Search;

  const PackedBatch& reference_;
  Report report_;
};

}  // namespace basesweep
