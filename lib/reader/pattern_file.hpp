// Pattern files.
#pragma once

#include <string>
#include <vector>

#include "lib/search/pattern_set.hpp"

namespace basesweep {

// Reads the patterns of a file (plain, gzip or BGZF; "-" is stdin). The format is recognised by content: FASTA, FASTQ,
// EMBL, GenBank, or lines of name, tab, sequence; of such lines further columns are ignored, and so are empty lines and
// lines that start with '#'. Sequences are returned in upper case. Throws IoError, and DataError for an illegal letter,
// an empty pattern, a repeated name or a file without patterns, with path and line (FASTQ, EMBL, GenBank: number of the
// record).
std::vector<Pattern> read_patterns(const std::string& path);

}  // namespace basesweep
