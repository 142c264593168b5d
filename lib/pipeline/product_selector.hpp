// Decides, in output order, which products are written, and counts them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/pipeline/product_spool.hpp"

namespace basesweep {

enum class ProductReport { all, best, best_per_record };

// Products of a pair on each strand.
struct ProductCounts {
  std::uint64_t plus = 0;
  std::uint64_t minus = 0;
};

struct ProductSelectOptions {
  ProductReport report = ProductReport::all;
  std::optional<std::uint64_t> max_products{};
  bool by_source = false;  // count the products of each input file apart
  // Write the products only at the end, because what comes before them is not known earlier.
  bool late = false;
  std::string directory = "/tmp";  // of the spool
};

// Not thread-safe.
class ProductSelector {
 public:
  using Write = std::function<void(std::string_view)>;

  ProductSelector(const ProductSelectOptions& options, Write write)
      : options_(options), write_(std::move(write)), spool_(options.directory) {}

  // Takes the next products, whose texts follow each other in `text`. Throws what the writing throws.
  void add(const std::vector<ProductEntry>& entries, std::string_view text);
  // Writes what had to wait.
  void finish();

  std::uint64_t total() const { return total_; }
  // Whether a product was dropped because there were --max-products before it.
  bool truncated() const { return truncated_; }
  // Products of each source, or of all as source 0, by ProductEntry::pair().
  const std::vector<std::map<std::uint64_t, ProductCounts>>& counts() const { return counts_; }

 private:
  bool keep(const ProductEntry& entry);
  void finish_per_record();

  const ProductSelectOptions options_;
  const Write write_;
  ProductSpool spool_;
  std::unordered_map<std::uint64_t, std::uint32_t> lowest_;  // edits of each pair, with `best`
  std::vector<std::map<std::uint64_t, ProductCounts>> counts_;
  std::uint64_t total_ = 0;
  bool truncated_ = false;
};

}  // namespace basesweep
