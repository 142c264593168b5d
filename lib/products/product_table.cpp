#include "lib/products/product_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "lib/products/placed_product.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/rows/column_kinds.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

// Products of one pair on one record.
struct PairRow : PlacedRow {
  Join join{};
  std::int64_t plus = 0;
  std::int64_t minus = 0;
  std::uint32_t fewest_edits = std::numeric_limits<std::uint32_t>::max();
  std::set<std::int64_t> sizes{};
};

constexpr ColumnMaker<ProductTableRows, PairRow> column;

// Writes the rows of a record when its products are complete.
class Counter final : public Gatherer {
 public:
  Counter(const Formatter& lines, Formatter::Write write) : lines_(lines), write_(std::move(write)) {}

  void add(std::string_view text) override {
    RowDecoder<PlacedProduct> products(text);
    for (PlacedProduct product; products.next(product);) {
      if (product.record != record_) {
        finish();
        record_ = product.record;
        name_ = product.record_name;
      }
      const Join& join = product.join;
      PairRow& row = rows_[{join.first, join.second}];
      row.record_name = name_;
      row.source = product.source;
      row.join = join;
      ++(join.strand == Strand::minus ? row.minus : row.plus);
      row.fewest_edits = std::min(row.fewest_edits, product.edits());
      row.sizes.insert(product.size());
    }
  }

  void finish() override {
    RowText text;
    for (const auto& [pair, row] : rows_) lines_.append(row, text);
    rows_.clear();
    if (!text.view().empty()) write_(text.view());
  }

 private:
  const Formatter& lines_;
  const Formatter::Write write_;
  std::int64_t record_ = -1;  // whose rows are being made
  std::string name_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, PairRow> rows_;  // by first and second of their Join
};

class ProductTable final : public Formatter {
 public:
  explicit ProductTable(std::unique_ptr<Formatter> lines) : lines_(std::move(lines)) {}

  std::string header(std::span<const RecordInfo> records) const override { return lines_->header(records); }
  NameRule names() const override { return lines_->names(); }
  unsigned needs() const override { return 0; }

  void append(const Row& row, RowText& text) const override {
    PlacedProduct product = static_cast<const PlacedProduct&>(row);
    product.letters = {};
    encode_row(product, text.before, text);
  }

  std::unique_ptr<Gatherer> gatherer(const std::string&, Write write) const override {
    return std::make_unique<Counter>(*lines_, std::move(write));
  }

 private:
  const std::unique_ptr<Formatter> lines_;  // of PairRows
};

}  // namespace

ProductTableRows::ProductTableRows(const PrimerSet& primers, std::vector<std::string> files) : primers_(primers) {
  files_ = std::move(files);
  constexpr auto kInteger = ColumnType::integer;
  columns_ = {
      file_column(),
      record_column(),
      column("pair", ColumnType::text, "the name of the pair; with --pool those of both primers, as a/b",
             [](const ProductTableRows& rows, const PairRow& row, Cell& cell) {
               set_made(rows.primers().name(row.join), cell);
             }),
      column("count", kInteger, "how many products the pair has in the record",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) { cell.set(row.plus + row.minus); }),
      column("plus", kInteger, "those on strand +",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) { cell.set(row.plus); }),
      column("minus", kInteger, "those on strand -",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) { cell.set(row.minus); }),
      column("fewest_edits", kInteger, "the fewest edits of a product",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) { cell.set(std::int64_t{row.fewest_edits}); }),
      column("min_size", kInteger, "the size of the smallest",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) { cell.set(*row.sizes.begin()); }),
      column("max_size", kInteger, "the size of the largest",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) { cell.set(*row.sizes.rbegin()); }),
      column("sizes", ColumnType::text, "all sizes, the smallest first",
             [](const ProductTableRows&, const PairRow& row, Cell& cell) {
               set_made(fmt::format("{}", fmt::join(row.sizes, ",")), cell);
             })};
}

std::unique_ptr<Formatter> make_product_table(std::shared_ptr<const ProductTableRows> rows, OutputFormat format,
                                              const LineOptions& options) {
  return std::make_unique<ProductTable>(make_line_formatter(std::move(rows), format, options));
}

}  // namespace basesweep
