// Chooses among the written hits of all chunks, as the pipeline's HitSelector chooses in a run without chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "lib/parts/hit_line.hpp"
#include "lib/parts/part.hpp"
#include "lib/parts/record_lookahead.hpp"
#include "lib/rows/hit_rows.hpp"

namespace basesweep {

// How hits are chosen, from the parameters in a part's label.
struct MergeRules {
  explicit MergeRules(const PartLabel& label);

  // Whether hits are chosen at all.
  bool any() const { return best || best_per_record || best_scores || non_overlapping || max_hits; }
  // The columns for merging that the parts have, if they are BED or TSV.
  MergeColumns columns() const;

  bool products;                          // the command was `pcr`: parts have products, with no columns for merging
  bool approximate;                       // the command was `match`
  bool primaries;                         // the first alignment of a pattern is primary: `match` and `guides`
  bool best;                              // --report best
  bool best_per_record;                   // --report best-per-record, of parts that cut records; not of `pwm`
  bool best_scores;                       // the same of `pwm`, see BestScores
  bool patterns_compete;                  // for best_per_record: --best-of record
  bool non_overlapping;                   // --non-overlapping
  bool circular;                          // --circular; not of `pcr`
  bool overhang;                          // --overhang-5prime or --overhang-3prime
  std::optional<std::uint64_t> max_hits;  // --max-hits
};

class HitChooser {
 public:
  // `rules` must outlive this object. `ahead`: with best_per_record, calls for all hits in output order, see
  // RecordLookahead.
  HitChooser(const MergeRules& rules, RecordLookahead::NextHit ahead)
      : rules_(rules), ahead_(std::move(ahead), rules.patterns_compete) {}

  // To be called with `best`, for all hits, in any order, before the first keep().
  void see(const PrintedHit& hit);
  // Whether the hit is written. To be called for all hits, in output order.
  bool keep(const PrintedHit& hit);
  // With best_per_record: of the hit that keep() was last called for.
  const Standing& standing() const { return standing_; }
  // Whether --max-hits is reached.
  bool full() const { return rules_.max_hits && kept_count_ >= *rules_.max_hits; }
  // True for the first call with a pattern: the hit that is primary in SAM.
  bool is_first(std::string_view pattern) { return seen_.insert(std::string(pattern)).second; }

 private:
  struct Kept {
    std::string record;
    std::int64_t number = 0;
    std::int64_t first_start = 0;  // of the record's first hit that was kept
    std::int64_t last_end = 0;
  };

  const MergeRules& rules_;
  RecordLookahead ahead_;
  Standing standing_;
  std::uint64_t kept_count_ = 0;
  std::unordered_map<std::string, std::uint32_t> lowest_edits_;  // by pattern
  std::unordered_map<std::string, Kept> kept_;                   // by pattern and strand
  std::unordered_set<std::string> seen_;                         // patterns
};

}  // namespace basesweep
