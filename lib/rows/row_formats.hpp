// The formats that the rows of each kind have.
#pragma once

#include <vector>

#include "lib/rows/output_format.hpp"

namespace basesweep {

// `aligned`: those of a search with edits, which has alignments too.
std::vector<OutputFormat> hit_formats(bool aligned);
std::vector<OutputFormat> product_formats();  // PCR products
std::vector<OutputFormat> site_formats();     // sites of matrices
std::vector<OutputFormat> place_formats();    // of guides
// The table of guides; BED is for those of a genome, which have places of their own.
std::vector<OutputFormat> guide_table_formats();
std::vector<OutputFormat> read_alignment_formats();

}  // namespace basesweep
