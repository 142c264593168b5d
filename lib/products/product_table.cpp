#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "lib/products/product_formatter.hpp"

namespace basesweep {
namespace {

// Stands for a product between append() and the gatherer; the name of its record follows.
struct Cell {
  std::int64_t record;
  std::int64_t size;
  std::uint64_t pair;  // first and second of its Join: the order of rows
  Join join;
  std::uint32_t source;
  std::uint32_t edits;
  std::uint64_t name_bytes;
};

// Products of one pair on one record.
struct Row {
  Join join;
  std::uint64_t plus = 0;
  std::uint64_t minus = 0;
  std::uint32_t fewest_edits;
  std::set<std::int64_t> sizes{};
};

// Makes the rows of a record when its products are complete.
class Rows final : public ProductGatherer {
 public:
  Rows(const PrimerSet& primers, const std::vector<std::string>& files, std::function<void(std::string_view)> write)
      : primers_(primers), files_(files), write_(std::move(write)) {}

  void add(std::string_view text) override {
    while (!text.empty()) {
      Cell cell;
      std::memcpy(&cell, text.data(), sizeof cell);
      const std::string_view name = text.substr(sizeof cell, cell.name_bytes);
      text.remove_prefix(sizeof cell + name.size());
      if (cell.record != record_) {
        finish();
        record_ = cell.record;
        name_ = name;
        source_ = cell.source;
      }
      Row& row = rows_.try_emplace(cell.pair, Row{.join = cell.join, .fewest_edits = cell.edits}).first->second;
      ++(cell.join.strand == Strand::minus ? row.minus : row.plus);
      row.fewest_edits = std::min(row.fewest_edits, cell.edits);
      row.sizes.insert(cell.size);
    }
  }

  void finish() override {
    std::string text;
    for (const auto& [pair, row] : rows_) {
      if (!files_.empty()) text += files_[source_] + "\t";
      std::string sizes;
      for (const std::int64_t size : row.sizes) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
      text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", name_, primers_.name(row.join), row.plus + row.minus,
                          row.plus, row.minus, row.fewest_edits, *row.sizes.begin(), *row.sizes.rbegin(), sizes);
    }
    rows_.clear();
    if (!text.empty()) write_(text);
  }

 private:
  const PrimerSet& primers_;
  const std::vector<std::string>& files_;
  const std::function<void(std::string_view)> write_;
  std::int64_t record_ = -1;  // whose rows are being made
  std::string name_;
  std::uint32_t source_ = 0;
  std::map<std::uint64_t, Row> rows_;
};

class ProductTable final : public ProductFormatter {
 public:
  using ProductFormatter::ProductFormatter;

  std::string header(std::span<const RecordInfo>) const override {
    return std::string(details_.files.empty() ? "" : "file\t") +
           "record\tpair\tcount\tplus\tminus\tfewest_edits\tmin_size\tmax_size\tsizes\n";
  }
  NameRule names() const override { return NameRule::text; }
  bool needs_letters() const override { return false; }

  void append(const PlacedProduct& placed, Text& text) const override {
    const Join& join = placed.product.join;
    Cell cell{placed.record,
              placed.size(),
              std::uint64_t{join.first} << 32 | join.second,
              join,
              placed.source,
              placed.product.edits(),
              placed.record_name.size()};
    char* const to = text.reserve(sizeof cell);
    std::memcpy(to, &cell, sizeof cell);
    text.advance(to + sizeof cell);
    text.append(placed.record_name);
  }

  std::unique_ptr<ProductGatherer> gatherer(const std::string&,
                                            std::function<void(std::string_view)> write) const override {
    return std::make_unique<Rows>(primers_, details_.files, std::move(write));
  }
};

}  // namespace

std::unique_ptr<ProductFormatter> make_product_table(const PrimerSet& primers, const PatternSet& patterns,
                                                     const ProductDetails& details) {
  return std::make_unique<ProductTable>(primers, patterns, details);
}

}  // namespace basesweep
