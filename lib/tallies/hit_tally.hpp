// What plots show of the hits of `motif`, `match` and `pwm`.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/histogram.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/tallies/edit_positions.hpp"
#include "lib/tallies/record_density.hpp"
#include "lib/tallies/row_tally.hpp"

namespace basesweep {

class MatrixSet;   // lib/matrices/matrix_set.hpp
class PatternSet;  // lib/search/pattern_set.hpp

// The hits of a matrix.
struct MatrixSites {
  static constexpr std::size_t kScoreBins = 64;  // equally wide, from the threshold to the greatest score

  std::vector<std::array<std::uint64_t, 4>> letters{};  // as the hit's strand reads them, by position and base code
  std::array<std::uint64_t, kScoreBins> scores{};

  void add(const MatrixSites& other);
};

struct HitCounts {
  std::vector<std::uint64_t> edits{};            // hits with 0, 1, 2 ... edits
  std::vector<EditPositions> positions{};        // see HitTally::kMostPatterns
  std::vector<MatrixSites> matrices{};           // of each matrix
  Histogram starts{};                            // of hits in reads
  std::map<std::int64_t, PositionBins> along{};  // the longest records, by their numbers
};

class HitTally final : public RowTally {
 public:
  // So many patterns have their edits counted one by one; those of more are counted together.
  static constexpr std::size_t kMostPatterns = 1000;

  // `matrices`: those that `patterns` are of; null: there are none. `reads`: hits are counted by their starts in reads;
  // otherwise along records. `longest`: is told of all records; null: not all become known, and none is counted. All
  // must outlive this.
  HitTally(const PatternSet& patterns, const MatrixSet* matrices, bool reads, const LongestRecords* longest);

  unsigned needs() const override;
  void count(RowSpan rows) override;
  void count(const PackedBatch& batch, std::span<const Hit> hits) override;

  bool of_reads() const { return reads_; }
  const LongestRecords* longest() const { return longest_; }
  // Of all threads, when all rows have come.
  HitCounts counts();

 private:
  struct Own {
    HitCounts counts;
    RecordDensity density;
    Tracer tracer;
    std::string letters;
  };
  bool needs_letters(const Hit& hit) const { return matrices_ != nullptr || hit.edits != 0; }
  // The place in the counts of edits.
  std::size_t place_of(const Query& query) const { return counts_together_ ? 0 : query.pattern; }
  void count_starts(const PackedBatch& batch, std::span<const Hit> hits, Own& own) const;
  void count_start(std::int64_t record, std::int64_t start, Own& own) const;
  void count_letters(const Hit& hit, std::string_view letters, Own& own) const;
  void count_site(const Hit& hit, std::string_view letters, MatrixSites& sites) const;

  const PatternSet& patterns_;
  const MatrixSet* const matrices_;
  const bool reads_;
  const LongestRecords* const longest_;
  const bool counts_together_;  // the edits of all patterns
  tbb::enumerable_thread_specific<Own> own_;
};

}  // namespace basesweep
