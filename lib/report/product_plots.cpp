#include "lib/report/product_plots.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lib/report/plots.hpp"

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it, see report.cpp.
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLanes = 100;
constexpr std::size_t kMostRows = 50;      // of the table of pairs and records
constexpr std::size_t kMostPrimers = 200;  // that are listed

std::uint64_t products_of(const Histogram& sizes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : sizes.counts()) sum += count;
  return sum;
}

// The pairs with most products, at most `most`, in their order.
std::vector<std::size_t> with_most_products(const std::vector<PairSizes>& sizes, std::size_t most) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (const std::uint64_t products = products_of(sizes[i].sizes)) order.emplace_back(products, i);
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  order.resize(std::min(order.size(), most));
  std::vector<std::size_t> pairs;
  for (const auto& one : order) pairs.push_back(one.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Json lanes_of(const std::vector<PairSizes>& sizes, const ProductTally& tally) {
  Json lanes = Json::array();
  for (const std::size_t pair : with_most_products(sizes, kMostLanes)) {
    Json lane = Json::object();
    lane["name"] = tally.name_of_pair(pair);
    lane["smallest"] = sizes[pair].smallest;
    lane["largest"] = sizes[pair].largest;
    lane["sizes"] = bins_of(sizes[pair].sizes);
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

// The products of pairs in records.
Json pair_records(const CountedProducts& counts, const ProductTally& tally, std::uint64_t products) {
  std::vector<ListedRecord> records = tally.longest()->records();
  records.resize(std::min(records.size(), kMostRows));
  std::uint64_t shown = 0;
  Json rows = Json::array();
  Json names = Json::array();
  for (const std::size_t pair : with_most_products(counts.pair_sizes, kMostRows)) {
    names.push_back(tally.name_of_pair(pair));
    Json row = Json::array();
    for (const ListedRecord& record : records) {
      const auto found = counts.pairs.find({record.reference, static_cast<std::uint32_t>(pair)});
      const std::uint64_t count = found == counts.pairs.end() ? 0 : found->second;
      shown += count;
      row.push_back(count);
    }
    rows.push_back(std::move(row));
  }
  Json table = Json::object();
  table["pairs"] = std::move(names);
  table["records"] = Json::array();
  for (const ListedRecord& record : records) table["records"].push_back(record.name);
  table["counts"] = std::move(rows);
  table["others"] = products - shown;
  return table;
}

// The counts by position from the 3' end of a primer of this length.
std::vector<std::uint64_t> from_3prime(std::vector<std::uint64_t> counts, std::size_t length) {
  counts.resize(length);
  std::reverse(counts.begin(), counts.end());
  return counts;
}

Json primers_of(const std::vector<PrimerCounts>& counts, const PrimerSet& primers) {
  Json rows = Json::array();
  const bool pool = primers.options().pool;
  for (std::size_t i = 0; i < primers.primers().size() && rows.size() < kMostPrimers; ++i) {
    const PrimerSet::Primer& primer = primers.primers()[i];
    Json row = Json::object();
    row["name"] = primer.name;
    if (!pool) {
      row["pair"] = primers.pairs()[i / 2].name;
      row["side"] = i % 2 == 0 ? "forward" : "reverse";
    }
    row["length"] = primer.sequence.size();
    const PrimerCounts none;
    const PrimerCounts& own = primer.pattern < counts.size() ? counts[primer.pattern] : none;
    row["hits"] = std::accumulate(own.edits.begin(), own.edits.end(), std::uint64_t{0});
    row["mismatches"] = from_3prime(own.positions.mismatches, primer.sequence.size());
    row["edits"] = own.edits;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void add_product_plots(ProductTally& tally, const PrimerSet& primers, const TextSummary& summary, bool lengths_known,
                       Json& report) {
  const CountedProducts counts = tally.counts();
  Json plots = Json::object();
  plots["sizes"] = bins_of(counts.sizes);
  plots["edits"] = counts.edits;
  if (tally.counts_pairs()) plots["pair_sizes"] = lanes_of(counts.pair_sizes, tally);
  if (tally.counts_primers()) plots["primers"] = primers_of(counts.primers, primers);
  if (lengths_known) {
    if (tally.counts_pairs()) plots["pair_records"] = pair_records(counts, tally, summary.hits);
    add_density(*tally.longest(), counts.along, summary, plots);
  }
  report["plots"] = std::move(plots);
}

}  // namespace basesweep
