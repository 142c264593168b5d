// Decides, in output order, which products are written, and counts them.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lib/products/batch_products.hpp"
#include "lib/products/placed_product.hpp"

namespace basesweep {

enum class ProductReport { all, best, best_per_record };

// Products of a pair on each strand.
struct ProductCounts {
  std::uint64_t plus = 0;
  std::uint64_t minus = 0;
};

// The pair of a product, for counts: of its Join, `first` in the upper half, `second` in the lower one.
constexpr std::uint64_t pair_of(const Join& join) { return std::uint64_t{join.first} << 32 | join.second; }

// The fewest edits that products of each pair have.
class FewestEdits {
 public:
  void see(std::uint64_t pair, std::uint32_t edits);
  // Whether no product of the pair with fewer edits was seen.
  bool are(std::uint64_t pair, std::uint32_t edits) const {
    const auto fewest = of_pair_.find(pair);
    return fewest == of_pair_.end() || edits <= fewest->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> of_pair_;
};

struct ProductSelectOptions {
  ProductReport report = ProductReport::all;
  std::optional<std::uint64_t> max_products{};
  bool by_source = false;  // count the products of each input file apart
};

// Where a report other than `all` is asked for, all products must be seen before the first is kept. Not thread-safe,
// except sift().
class ProductSelector {
 public:
  explicit ProductSelector(const ProductSelectOptions& options) : options_(options) {}

  // Whether only the products with the fewest edits are kept.
  bool chooses() const { return options_.report != ProductReport::all; }
  // With `best`, drops products that others which were sifted beat. If all products were sifted, they need not be seen.
  // Thread-safe.
  void sift(std::vector<Product>& products);
  // Takes notice of the next block of products.
  void see(const std::vector<PlacedProduct>& block);
  // Leaves the products that are written, of the next of the same blocks, and counts them.
  void keep(std::vector<PlacedProduct>& block);
  // Whether the next product is written, where none is chosen for its edits. If so, counts it. `source`: index of its
  // record's file.
  bool keep(const Join& join, std::uint32_t source);

  std::uint64_t total() const { return total_; }
  // Whether a product was dropped because there were --max-products before it.
  bool truncated() const { return truncated_; }
  // Products of each source, or of all as source 0, by pair_of().
  const std::vector<std::map<std::uint64_t, ProductCounts>>& counts() const { return counts_; }

 private:
  using Products = std::vector<PlacedProduct>;
  void see_records(const Products& block);
  FewestEdits fewest_in(Products::const_iterator begin, Products::const_iterator end) const;

  const ProductSelectOptions options_;
  std::mutex mutex_;       // of `best_`, while products are sifted
  FewestEdits best_;       // of all, with `best`
  FewestEdits of_record_;  // of the last record that was seen, with `best_per_record`
  std::int64_t record_ = -1;
  // The fewest edits of records with products in several blocks. Other records have all theirs in the block of keep().
  std::unordered_map<std::int64_t, FewestEdits> of_cut_records_;
  std::vector<std::map<std::uint64_t, ProductCounts>> counts_;
  std::uint64_t total_ = 0;
  bool truncated_ = false;
};

}  // namespace basesweep
