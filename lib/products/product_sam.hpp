// Products as alignments.
#pragma once

#include <memory>

#include "lib/products/primer_set.hpp"
#include "lib/writer/sam_formatter.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Rows are PlacedProducts: two alignments per product, those of its primers, as a proper pair. READ1 is the forward
// primer, or the first one of a pool; with one primer at both ends, the left one. QNAME is
// PAIR:NUMBER:START-END:STRAND, with the number of the record in the header, and the place of the product, 1-based;
// with JoinOptions::single, `:F` or `:R` follows where the forward or the reverse primer is at both ends. TLEN is the
// product's size. The alignments are as SamQueries describes them; XP:Z has the pair's name, XQ:Z the primer's. Throws
// UsageError for a name that SAM does not allow. There are no products over the origin of circular records.
// `primers` and `patterns`, made from it, must outlive this.
std::shared_ptr<const SamRows> make_product_sam(const PrimerSet& primers, const PatternSet& patterns, bool distinguish);

}  // namespace basesweep
