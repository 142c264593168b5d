#include "lib/rows/row_formats.hpp"

namespace basesweep {

using enum OutputFormat;

std::vector<OutputFormat> hit_formats(bool aligned) {
  return aligned ? with_tables({sam, bam, bed, tsv, gff3, fasta}) : with_tables({bed, tsv, gff3, fasta});
}

std::vector<OutputFormat> product_formats() { return with_tables({tsv, bed, gff3, fasta, sam, bam}); }

std::vector<OutputFormat> site_formats() { return with_tables({bed, tsv, fimo, gff3}); }

std::vector<OutputFormat> place_formats() { return with_tables({tsv, bed, sam, bam, cram}); }

std::vector<OutputFormat> guide_table_formats() { return with_tables({tsv, bed}); }

std::vector<OutputFormat> read_alignment_formats() { return {sam, bam, cram}; }

}  // namespace basesweep
