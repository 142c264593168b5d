// Records of alignments as BAM has them. Private to the reader.
#pragma once

#include <string>

struct bam1_t;  // HTSlib's record

namespace basesweep {

// Appends the record, with its size first. Throws std::runtime_error with the fault, as part of a message, for a CIGAR
// of more than 65,535 operations and a position that BAM cannot hold.
void append_bam_record(const bam1_t& record, std::string& bytes);

}  // namespace basesweep
