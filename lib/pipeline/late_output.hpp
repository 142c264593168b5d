// Hits that can only be printed when all input has been read.
#pragma once

#include <span>
#include <string>

#include "lib/base/record_info.hpp"
#include "lib/pipeline/hit_selector.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/hit_spool.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

// Keeps hits in a spool, then prints them. Without a formatter it only selects them again, which counts them.
class LateOutput {
 public:
  struct Options {
    std::string directory;      // of the spool
    int threads = 1;            // that compress it
    bool select_again = false;  // hits must pass HitSelector::keep() before they are printed, as for `best`
    bool split = false;         // at the origins of circular records, see SplitHits
  };

  // `formatter` and `sink` may be null; all must outlive this.
  LateOutput(const Options& options, const PatternSet& patterns, const Formatter* formatter, ByteSink* sink,
             HitSelector& selector);

  // Takes the hits of a batch. Batches must come in order. `standings`: of the batch's records. Not thread-safe.
  void add(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings& standings);
  // Takes the next hit. Not thread-safe.
  void add(const PlacedHit& hit) { spool_.add(hit); }
  // Prints header and hits, after the last batch, on all threads of the task arena that it is called in. `references`:
  // the records for the header. `names`: checks those of the records with hits.
  void print(std::span<const RecordInfo> references, NameCheck& names);

 private:
  const Options options_;
  const PatternSet& patterns_;
  HitSpool spool_;
  const Formatter* formatter_;
  ByteSink* sink_;
  HitSelector& selector_;
};

}  // namespace basesweep
