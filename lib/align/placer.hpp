// From the ends that a finder found to the alignments of each read, and their mapping quality.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// The alignments of one read.
struct Placement {
  // Ordered by edits, position, length, strand; the first is primary. Positions are those of the reference's batch.
  // Hit::query is the index of the query in the batch of reads: 2 i for read i on strand +, 2 i + 1 on strand -.
  std::vector<Hit> hits;
  std::uint8_t mapq = 0;  // of the primary alignment
};

// Finds hits as `match` defines them (Report::best, sites or all), over the whole reference and both strands together.
// Each read has its own number of allowed edits and no other limit. When only some starts count
// (PackedBatch::requested()), sites that start elsewhere are dropped and do not affect mapq.
//
// The mapping quality does not depend on the report. It is 0 when two sites have the lowest edits. Otherwise the best
// site is compared with the next one that does not overlap it on its strand: 20 for each edit that the next site has
// more, at most 60, and 60 when there is no next site within the allowed edits.
class Placer {
 public:
  Placer(const PackedBatch& reference, Report report) : reference_(reference), report_(report) {}

  // One placement for each of the reads [first, end) of the batch. `ends`: those that a finder found for these reads,
  // sorted. Thread-safe.
  std::vector<Placement> place(const ReadBatch& batch, std::uint32_t first, std::uint32_t end,
                               std::span<const ReadEnd> ends) const;

 private:
  const PackedBatch& reference_;
  Report report_;
};

}  // namespace basesweep
