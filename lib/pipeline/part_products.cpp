#include "lib/pipeline/part_products.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/parts/part_rows.hpp"
#include "lib/pipeline/late_products.hpp"
#include "lib/pipeline/workers.hpp"
#include "lib/products/product_codec.hpp"

namespace basesweep {

// The products of a pair in a file.
struct PairCount : Row {
  std::uint32_t source = 0;
  std::uint64_t pair = 0;
  std::uint64_t plus = 0;
  std::uint64_t minus = 0;
};

template <class Codec>
void code(Codec& codec, Coded<Codec, PairCount>& row) {
  codec.number(row.source);
  codec.number(row.pair);
  codec.number(row.plus);
  codec.number(row.minus);
}

namespace {

[[noreturn]] void refuse(const PartSet::Block& block, const std::string& why) {
  throw DataError(block.part->path() + ": the part is damaged: " + why);
}

bool is_pair(const PrimerSet& primers, std::uint64_t first, std::uint64_t second) {
  return primers.options().pool ? std::max(first, second) < primers.primers().size()
                                : first < primers.pairs().size() && first == second;
}

// Decodes the products of parts.
class PartProducts {
 public:
  // `needs`: of the formatter.
  PartProducts(PartSet& parts, const PrimerSet& primers, const PatternSet& patterns, unsigned needs)
      : parts_(parts), primers_(primers), queries_(patterns.queries()), needs_letters_((needs & need::letters) != 0) {}

  std::optional<StoredRows<PlacedProduct>> next() {
    std::optional<PartSet::Block> block = parts_.next();
    if (!block) return std::nullopt;
    return [this, block = std::make_shared<PartSet::Block>(std::move(*block))] { return decode(*block); };
  }

 private:
  DecodedRows<PlacedProduct> decode(const PartSet::Block& block) const {
    DecodedRows<PlacedProduct> products = block.decode<PlacedProduct>();
    for (const PlacedProduct& product : products.rows()) {
      if (!can_be(product)) refuse(block, "it has a product that cannot be");
    }
    return products;
  }

  bool can_be(const PlacedProduct& product) const {
    return can_be(product.left) && can_be(product.right) && (!product.probe || can_be(*product.probe)) &&
           is_pair(primers_, product.join.first, product.join.second) && product.source < parts_.head().inputs.size() &&
           product.record >= 0 && product.start >= 0 && product.end > product.start && product.circular_length >= 0 &&
           !(needs_letters_ && product.letters.empty());
  }

  bool can_be(const Hit& hit) const { return hit.query < queries_.size() && can_be_aligned(queries_[hit.query], hit); }

  PartSet& parts_;
  const PrimerSet& primers_;
  const std::vector<Query>& queries_;
  const bool needs_letters_;
};

}  // namespace

ProductSummary run_part_products(const ProductSelectOptions& options, int threads, PartSet& parts,
                                 const PrimerSet& primers, const PatternSet& patterns, const ProductOutput& output) {
  const std::vector<std::string> paths = input_names(parts.head().inputs);
  PartProducts products(parts, primers, patterns, output.formatter == nullptr ? 0 : output.formatter->needs());
  ProductSelector selector(options);
  NameCheck names(output.names, paths);
  const NextProducts next = [&products] { return products.next(); };
  const Workers workers(threads);
  tbb::task_arena arena(threads, 0);
  start_workers(arena, threads);
  arena.execute([&] {
    if (selector.chooses()) {
      see_late_products(next, threads, selector);
      parts.rewind();
    }
    RowOutput rows(output.formatter, output.sink, output.spool_directory);
    rows.write_header(output.records.value_or(std::vector<RecordInfo>()));
    write_late_products(next, threads, selector, names, output.formatter, rows);
    rows.finish();
  });
  return {{}, {}, selector.counts(), selector.total(), selector.truncated()};
}

void write_product_counts(const ProductSummary& summary, ByteSink& part) {
  const PartRows<PairCount> rows(0);
  RowText text;
  const auto flush = [&] {
    rows.finish(text);
    part.write(text.view());
    text = RowText();
  };
  for (std::uint32_t source = 0; source < summary.counts.size(); ++source) {
    for (const auto& [pair, counts] : summary.counts[source]) {
      PairCount row;
      row.source = source;
      row.pair = pair;
      row.plus = counts.plus;
      row.minus = counts.minus;
      rows.append(row, text);
      if (text.rows == kBlockRows) flush();
    }
  }
  flush();
}

ProductSummary merge_product_counts(PartSet& parts, const PrimerSet& primers, bool by_source) {
  ProductSummary summary;
  while (const std::optional<PartSet::Block> block = parts.next()) {
    const DecodedRows<PairCount> counts = block->decode<PairCount>();
    for (const PairCount& row : counts.rows()) {
      if (!is_pair(primers, row.pair >> 32, static_cast<std::uint32_t>(row.pair)) ||
          row.source >= parts.head().inputs.size()) {
        refuse(*block, "a count has no pair or input");
      }
      const std::size_t source = by_source ? row.source : 0;
      if (summary.counts.size() <= source) summary.counts.resize(source + 1);
      ProductCounts& sum = summary.counts[source][row.pair];
      sum.plus += row.plus;
      sum.minus += row.minus;
      summary.products += row.plus + row.minus;
    }
  }
  return summary;
}

}  // namespace basesweep
