// The second half of `pcr` for products that parts hold: select -> format -> write.
#pragma once

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/pipeline/product_selector.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Chooses among the products of all parts, and writes header and products, as run_product_pipeline() does with those of
// batches. The summary's members about the input are left empty. The output's `records` are those that the header
// lists. Throws IoError and DataError.
ProductSummary run_part_products(const ProductSelectOptions& options, int threads, PartSet& parts,
                                 const PrimerSet& primers, const PatternSet& patterns, const RowTarget& output);

// Parts of a run that only counts hold the counts instead of products. Writes what a chunk counted by source, as
// PartRows does.
void write_product_counts(const ProductSummary& summary, ByteSink& part);
// Adds up the counts of parts. The summary is that of run_part_products(). `by_source`: as for ProductSelectOptions.
ProductSummary merge_product_counts(PartSet& parts, const PrimerSet& primers, bool by_source);

}  // namespace basesweep
