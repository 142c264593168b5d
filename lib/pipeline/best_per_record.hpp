// Chooses the best hits of each record (--report best-per-record).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/align/standings.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/waiting_hits.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp
struct Segment;     // lib/search/segment.hpp

// Hits of a batch are decided at once, except those of the record that may go on in the next batch: they wait. Chosen
// hits go through HitSelector::keep(). Batches must come in order. Not thread-safe.
class BestPerRecord {
 public:
  struct Options {
    bool patterns_compete = false;  // all patterns of a record are one group
    bool printed = true;            // the chosen hits are needed, not only their numbers
    bool letters = false;           // waiting hits keep their letters
    std::uint32_t flank = 0;        // and this many bases on both sides, see for_each_hit()
    std::string directory{};        // of spools
    int threads = 1;                // that compress a spool
    std::size_t max_bytes = WaitingHits::kMaxBytes;
    NameCheck* names = nullptr;  // checks the record of chosen hits that waited; may be null, must outlive this
  };
  // The decisions that were made when a batch came, apart from those about its own hits.
  struct Decided {
    std::unique_ptr<WaitingHits> earlier{};  // chosen hits of earlier batches, all before the batch's own; may be null
    BatchStandings standings;                // of the records that the batch's chosen hits are in
  };

  // `patterns` and `selector` must outlive this, and this what it returns.
  BestPerRecord(const PatternSet& patterns, HitSelector& selector, Options options);

  // Takes the hits of a batch, all that start in it, and leaves those of them that are chosen.
  Decided select(const PackedBatch& batch, std::vector<Hit>& hits);
  // In place of select(), for hits that belong to no batch any more, in output order: calls use(hit) for the chosen
  // hits of the record before, once another one comes.
  void take(const PlacedHit& hit, const std::function<void(const PlacedHit&)>& use);
  // The input has ended: chosen hits among those that waited; may be null.
  std::unique_ptr<WaitingHits> finish();

 private:
  struct SegmentStart {
    const Segment* segment;
    std::int64_t start;  // in the record
  };

  std::unique_ptr<WaitingHits> make_waiting() const {
    return std::make_unique<WaitingHits>(options_.directory, options_.threads, options_.max_bytes);
  }
  void add(const Hit& hit, std::int64_t start);
  std::uint32_t group_of(const Hit& hit) const { return groups_[hit.query]; }
  // The open record is complete: decides about its hits that wait. Returns the chosen ones; null if none waited.
  std::unique_ptr<WaitingHits> choose_waiting(const std::vector<RecordStandings::OfGroup>& groups);
  void wait(const PackedBatch& batch, std::vector<Hit>& hits, std::size_t begin);

  HitSelector& selector_;
  const Options options_;
  std::vector<std::uint32_t> groups_;   // of each query
  std::vector<std::uint32_t> strands_;  // of each query: a number for its pattern and strand
  RecordStandings standings_;
  std::int64_t open_record_ = -1;         // the record that hits came of and that may have more; -1: none
  std::unique_ptr<WaitingHits> waiting_;  // its hits in earlier batches; may be null
};

}  // namespace basesweep
