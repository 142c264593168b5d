#include "lib/pipeline/part_products.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/parts/part_rows.hpp"
#include "lib/pipeline/late_products.hpp"
#include "lib/pipeline/part_stages.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/pattern_set.hpp"

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

bool is_pair(const PrimerSet& primers, std::uint64_t first, std::uint64_t second) {
  return primers.options().pool ? std::max(first, second) < primers.primers().size()
                                : first < primers.pairs().size() && first == second;
}

// Whether a site can be aligned with its primer or probe, so that the alignment can be drawn.
bool is_site(const PatternSet& patterns, const Hit& hit) {
  return hit.query < patterns.queries().size() && can_be_aligned(patterns.queries()[hit.query], hit);
}

}  // namespace

ProductSummary run_part_products(const ProductSelectOptions& options, int threads, PartSet& parts,
                                 const PrimerSet& primers, const PatternSet& patterns, const RowTarget& output) {
  const std::vector<std::string> paths = input_names(parts.head().inputs);
  const bool has_letters = output.formatter != nullptr && output.formatter->needs_letters();
  const auto can_be = [&](const PlacedProduct& product) {
    return parts.head().has_place(product) && is_pair(primers, product.join.first, product.join.second) &&
           is_site(patterns, product.left) && is_site(patterns, product.right) &&
           (!product.probe || is_site(patterns, *product.probe)) && !(has_letters && product.letters.empty());
  };
  const NextProducts next = part_rows<PlacedProduct>(parts, can_be);
  ProductSelector selector(options);
  NameCheck names(output.names, paths);
  on_workers(threads, [&] {
    if (selector.chooses()) {
      see_late_products(next, threads, selector);
      parts.rewind();
    }
    RowOutput rows(output.formatter, output.sink, output.spool_directory);
    rows.write_header(output.records.value_or(std::vector<RecordInfo>()));
    write_late_products(next, threads, selector, names, output.formatter, rows);
    rows.finish();
  });
  ProductSummary summary;
  summary.counts = selector.counts();
  summary.hits = selector.total();
  summary.truncated = selector.truncated();
  return summary;
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
      if (is_full_block(text.rows, text.view().size())) flush();
    }
  }
  flush();
}

ProductSummary merge_product_counts(PartSet& parts, const PrimerSet& primers, bool by_source) {
  ProductSummary summary;
  for_each_part_row<PairCount>(parts, [&](const PairCount& row) {
    if (!is_pair(primers, row.pair >> 32, static_cast<std::uint32_t>(row.pair)) ||
        row.source >= parts.head().inputs.size()) {
      return false;
    }
    const std::size_t source = by_source ? row.source : 0;
    if (summary.counts.size() <= source) summary.counts.resize(source + 1);
    ProductCounts& sum = summary.counts[source][row.pair];
    sum.plus += row.plus;
    sum.minus += row.minus;
    summary.hits += row.plus + row.minus;
    return true;
  });
  return summary;
}

}  // namespace basesweep
