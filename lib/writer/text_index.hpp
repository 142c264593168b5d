// Makes the indices of complete files with HTSlib.
#pragma once

#include <string>

namespace basesweep {

// Writes PATH.fai for a FASTA file, and PATH.gzi too if the file is BGZF. Each appears only when it is complete. Throws
// IoError, and DataError for a file that cannot be indexed: gzip, or a record with lines of different lengths.
void write_fasta_index(const std::string& path);

// Formats of hits that can be indexed.
enum class HitFile { bed, tsv, sam, bam };

// Indexes a BGZF file of hits: PATH.tbi for BED and TSV, PATH.bai for SAM and BAM, PATH.csi instead when a record is
// too long for these. Throws IoError, and DataError when the hits are not sorted by record and start.
void write_hit_index(const std::string& path, HitFile kind, int threads);

}  // namespace basesweep
