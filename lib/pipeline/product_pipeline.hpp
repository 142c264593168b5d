// The flow graph of `pcr`: reader -> packer -> batcher -> matcher -> resolver -> products -> writer.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "lib/pipeline/product_selector.hpp"
#include "lib/pipeline/text_run.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

struct ProductPipelineOptions : TextOptions {
  ProductSelectOptions select{};
  bool find_turned = true;  // warn of pairs without products that would have some with a primer turned round
};

struct ProductSummary : TextSummary {
  // The counts of each source, or of all as source 0, by pair_of(). Pairs without products are missing.
  std::vector<std::map<std::uint64_t, ProductCounts>> counts{};
};

// Runs the input through the matcher, joins hits to products, and writes them. `patterns`: made from `primers`, both
// strands, palindromes too. Throws like run_pipeline(). Tokens bound the memory: a batch holds its hits, and a part of
// its products at a time. With a formatter that makes blocks, more products than --max-products may be written.
ProductSummary run_product_pipeline(const ProductPipelineOptions& options, BlockSource& source,
                                    const PrimerSet& primers, const PatternSet& patterns, Matcher& matcher,
                                    const RowTarget& output);

}  // namespace basesweep
