// What plots show of the products of `pcr`.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/histogram.hpp"
#include "lib/products/placed_product.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/tallies/edit_positions.hpp"
#include "lib/tallies/record_density.hpp"
#include "lib/tallies/row_tally.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// A primer in products.
struct PrimerCounts {
  EditPositions positions{};
  std::vector<std::uint64_t> edits{};  // products in which it has 0, 1, 2 ... edits
};

struct CountedProducts {
  Histogram sizes{};
  std::vector<std::uint64_t> edits{};            // of both primers together
  std::vector<Histogram> pair_sizes{};           // see ProductTally::kMostPairs
  std::vector<PrimerCounts> primers{};           // by PrimerSet::patterns(), up to ProductTally::kMostPatterns
  std::map<std::int64_t, PositionBins> along{};  // the longest records, by their numbers
  // Products of a pair in one of these records, by (record, pair).
  std::map<std::pair<std::int64_t, std::uint32_t>, std::uint64_t> pairs{};
};

class ProductTally final : public RowTally {
 public:
  // The first pairs are counted one by one, unless the primers are a pool. Edits are counted by primer if there are at
  // most kMostPatterns patterns, and products have at most kMostSize bases.
  static constexpr std::size_t kMostPairs = 1000;
  static constexpr std::size_t kMostPatterns = 2000;
  static constexpr std::int64_t kMostSize = 20'000;

  // `longest`: is told of all records; null: nothing is counted by record. All must outlive this. `with_letters`: rows
  // have letters, so that the edits of primers can be counted by position.
  ProductTally(const PrimerSet& primers, const PatternSet& patterns, const LongestRecords* longest, bool with_letters)
      : primers_(primers), patterns_(patterns), longest_(longest), with_letters_(with_letters) {}

  unsigned needs() const override;
  void count(RowSpan rows) override;

  const LongestRecords* longest() const { return longest_; }
  bool counts_primers() const;
  // Of all threads, when all rows have come.
  CountedProducts counts();

 private:
  struct Own {
    CountedProducts counts;
    RecordDensity density;
    std::size_t since = 0;  // products that were counted by pair since drop_short()
    Tracer tracer;
  };
  bool by_pair(const Join& join) const { return !primers_.options().pool && join.first < kMostPairs; }
  void count(const PlacedProduct& product, Own& own) const;
  void count_primer(const PlacedProduct& product, const Hit& hit, Own& own) const;
  void drop_short(Own& own) const;

  const PrimerSet& primers_;
  const PatternSet& patterns_;
  const LongestRecords* const longest_;
  const bool with_letters_;
  tbb::enumerable_thread_specific<Own> own_;
};

}  // namespace basesweep
