// What plots show of the products of `pcr`.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
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

// Sizes of products, with the smallest and the largest of them.
struct PairSizes {
  Histogram sizes{};
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t largest = 0;

  void add(std::uint64_t size);
  void add(const PairSizes& other);
};

struct CountedProducts {
  Histogram sizes{};
  std::vector<std::uint64_t> edits{};            // of both primers together
  std::vector<PairSizes> pair_sizes{};           // see ProductTally::pair_of()
  std::vector<PrimerCounts> primers{};           // by PrimerSet::patterns(), up to ProductTally::kMostPatterns
  std::map<std::int64_t, PositionBins> along{};  // the longest records, by their numbers
  // Products of a pair in one of these records, by (record, pair).
  std::map<std::pair<std::int64_t, std::uint32_t>, std::uint64_t> pairs{};
};

class ProductTally final : public RowTally {
 public:
  // The first pairs are counted one by one; of a pool, every two primers, if it has at most kMostOfPool. Edits are
  // counted by primer if there are at most kMostPatterns patterns, and products have at most kMostSize bases or rows
  // have their letters anyway.
  static constexpr std::size_t kMostPairs = 1000;
  static constexpr std::size_t kMostOfPool = 100;
  static constexpr std::size_t kMostPatterns = 2000;
  static constexpr std::int64_t kMostSize = 20'000;

  // `longest`: is told of all records; null: nothing is counted by record. All must outlive this. `letters`: of
  // products, from which the edits of primers are counted by position.
  enum class Letters { none, on_demand, in_rows };
  ProductTally(const PrimerSet& primers, const PatternSet& patterns, const LongestRecords* longest, Letters letters)
      : primers_(primers), patterns_(patterns), longest_(longest), letters_(letters) {}

  unsigned needs() const override;
  void count(RowSpan rows) override;

  const LongestRecords* longest() const { return longest_; }
  bool counts_primers() const;
  bool counts_pairs() const { return !primers_.options().pool || primers_.primers().size() <= kMostOfPool; }
  // The name of CountedProducts::pair_sizes.
  std::string name_of_pair(std::size_t pair) const;
  // Of all threads, when all rows have come.
  CountedProducts counts();

 private:
  struct Own {
    CountedProducts counts;
    RecordDensity density;
    std::size_t since = 0;  // products that were counted by pair since drop_short()
    Tracer tracer;
  };
  // The number of a pair that is counted by itself.
  std::optional<std::uint32_t> pair_of(const Join& join) const;
  void count_product(const PlacedProduct& product, Own& own) const;
  void count_primer(const PlacedProduct& product, const Hit& hit, Own& own) const;
  void drop_short(Own& own) const;

  const PrimerSet& primers_;
  const PatternSet& patterns_;
  const LongestRecords* const longest_;
  const Letters letters_;
  tbb::enumerable_thread_specific<Own> own_;
};

}  // namespace basesweep
