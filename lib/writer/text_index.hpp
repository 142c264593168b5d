// Indices that HTSlib makes of files that are complete.
#pragma once

#include <string>

namespace basesweep {

// PATH.fai of FASTA, and PATH.gzi where it is BGZF. Each appears only when it is complete. Throws IoError, and
// DataError for what cannot be indexed: gzip, lines of a record that differ in length.
void write_fasta_index(const std::string& path);

// What a file of hits sorted by place can be indexed as.
enum class HitFile { bed, tsv, sam, bam };

// Of a BGZF file: .tbi of BED and TSV, .bai of SAM and BAM; .csi of any of them where a record is longer than these
// can index. Throws IoError, and DataError where the hits are not sorted by place.
void write_hit_index(const std::string& path, HitFile kind, int threads);

}  // namespace basesweep
