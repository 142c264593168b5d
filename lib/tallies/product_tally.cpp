#include "lib/tallies/product_tally.hpp"

#include <algorithm>

#include "lib/base/count_lists.hpp"
#include "lib/rows/column.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

void PairSizes::add(std::uint64_t size) {
  sizes.add(size);
  smallest = std::min(smallest, size);
  largest = std::max(largest, size);
}

void PairSizes::add(const PairSizes& other) {
  sizes.add(other.sizes);
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
}

// Letters of whole products come with the rows, so where products may be long they are not asked for.
bool ProductTally::counts_primers() const {
  const bool wanted =
      letters_ == Letters::in_rows || (letters_ == Letters::on_demand && primers_.max_size() <= kMostSize);
  return wanted && patterns_.patterns().size() <= kMostPatterns;
}

// Two primers of a pool, a <= b, have the number b * (b + 1) / 2 + a.
std::optional<std::uint32_t> ProductTally::pair_of(const Join& join) const {
  if (!counts_pairs()) return std::nullopt;
  if (primers_.options().pool) return join.second * (join.second + 1) / 2 + join.first;
  return join.first < kMostPairs ? std::optional(join.first) : std::nullopt;
}

std::string ProductTally::name_of_pair(std::size_t pair) const {
  Join join{};
  join.first = join.second = static_cast<std::uint32_t>(pair);
  if (primers_.options().pool) {
    join.second = 0;
    while (pair > join.second) pair -= ++join.second;
    join.first = static_cast<std::uint32_t>(pair);
  }
  return primers_.name(join);
}

unsigned ProductTally::needs() const { return counts_primers() && patterns_.max_edits() != 0 ? need::letters : 0; }

void ProductTally::count_primer(const PlacedProduct& product, const Hit& hit, Own& own) const {
  const Query& query = patterns_.queries()[hit.query];
  if (query.pattern >= own.counts.primers.size()) own.counts.primers.resize(query.pattern + std::size_t{1});
  PrimerCounts& primer = own.counts.primers[query.pattern];
  add_count(hit.edits, primer.edits);
  if (hit.edits != 0) primer.positions.add(query, own.tracer.trace(query, product.letters_of(hit), hit));
}

void ProductTally::count_product(const PlacedProduct& product, Own& own) const {
  CountedProducts& counts = own.counts;
  counts.sizes.add(static_cast<std::uint64_t>(product.size()));
  add_count(product.edits(), counts.edits);
  if (counts_primers()) {
    count_primer(product, product.forward(), own);
    count_primer(product, product.reverse(), own);
  }
  if (longest_ != nullptr) own.density.add(product.record, product.start, *longest_);
  const std::optional<std::uint32_t> counted = pair_of(product.join);
  if (!counted) return;
  const std::uint32_t pair = *counted;
  if (pair >= counts.pair_sizes.size()) counts.pair_sizes.resize(pair + std::size_t{1});
  counts.pair_sizes[pair].add(static_cast<std::uint64_t>(product.size()));
  if (longest_ == nullptr) return;
  ++counts.pairs[{product.record, pair}];
  constexpr std::size_t kAtOnce = std::size_t{1} << 15;
  if (++own.since == kAtOnce) drop_short(own);
}

// Drops the counts of records that have ended and are not among the longest.
void ProductTally::drop_short(Own& own) const {
  own.since = 0;
  const LongestRecords::Possible possible = longest_->possible();
  std::erase_if(own.counts.pairs, [&](const auto& one) { return !possible.holds(one.first.first); });
}

void ProductTally::count(RowSpan rows) {
  Own& own = own_.local();
  for (std::size_t i = 0; i < rows.size(); ++i) count_product(static_cast<const PlacedProduct&>(rows[i]), own);
}

CountedProducts ProductTally::counts() {
  CountedProducts sum;
  for (Own& own : own_) {
    if (longest_ != nullptr) {
      drop_short(own);
      own.density.add_to(sum.along, *longest_);
    }
    const CountedProducts& more = own.counts;
    sum.sizes.add(more.sizes);
    add_counts(more.edits, sum.edits);
    sum.pair_sizes.resize(std::max(sum.pair_sizes.size(), more.pair_sizes.size()));
    for (std::size_t i = 0; i < more.pair_sizes.size(); ++i) sum.pair_sizes[i].add(more.pair_sizes[i]);
    sum.primers.resize(std::max(sum.primers.size(), more.primers.size()));
    for (std::size_t i = 0; i < more.primers.size(); ++i) {
      sum.primers[i].positions.add(more.primers[i].positions);
      add_counts(more.primers[i].edits, sum.primers[i].edits);
    }
    for (const auto& [key, count] : more.pairs) sum.pairs[key] += count;
  }
  return sum;
}

}  // namespace basesweep
