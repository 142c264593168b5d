// Finds the places of one read on the reference, from the ends that a finder found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/align/cost.hpp"
#include "lib/base/dna.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
struct Segment;     // lib/search/segment.hpp

// Works on one read after another, keeping its memory from one to the next. All functions return hits ordered by edits,
// position, length, query, and only those whose start is requested (PackedBatch::requested()).
class ReadSites {
 public:
  explicit ReadSites(const PackedBatch& reference) : reference_(reference) {}

  // Begins with a read. `query`: the index of the first of its two queries. `edits`: as many are allowed. `ends`:
  // those of the read, sorted; they must live until the next start().
  void start(const Read& read, std::uint32_t query, std::uint32_t edits, std::span<const ReadEnd> ends);

  // All sites.
  std::vector<Hit> sites();
  // The sites with the lowest edits, and of those with at most `gap` more the ones that can affect mapq.
  std::vector<Hit> best_sites(std::uint32_t gap);
  // All candidates.
  std::vector<Hit> candidates();

 private:
  // The read on one strand, and the last answer of first_end().
  struct Sides {
    Query query;
    Query mirror;
    std::vector<BaseSet> sets;
    std::vector<BaseSet> mirror_sets;
    std::uint32_t known_start = 0;
    std::uint32_t known_end = 0;  // 0: there is no answer yet
  };

  bool must_overlap(ReadEnd end, std::uint32_t max_edits, const Hit& hit) const;
  bool is_requested(const Hit& hit) const;
  bool ends_alone(const Hit& hit) const;
  const Segment* segment_of(std::uint32_t position) const;
  Sides& sides(std::uint32_t query, std::uint32_t edits);
  bool read_back(ReadEnd end, std::uint32_t edits);
  bool scan_back(ReadEnd end, std::uint32_t edits);
  std::size_t scan_back_together(std::span<const ReadEnd> ends);
  std::optional<Hit> site_at(ReadEnd end, std::uint32_t max_edits);
  CostScan::Best first_start(ReadEnd end, std::uint32_t max_edits);
  std::uint32_t first_end(const Hit& hit);

  const PackedBatch& reference_;
  std::uint32_t first_query_ = 0;
  std::uint32_t edits_ = 0;
  std::span<const ReadEnd> by_position_;  // the read's ends, ordered by query and position
  std::vector<ReadEnd> ends_;             // the same, ordered by edits
  std::vector<BaseSet> positions_;        // the read on strand +
  Sides sides_[2];
  bool strands_made_[2] = {};
  CostScan scan_;
  std::vector<BaseSet> text_;
};

}  // namespace basesweep
