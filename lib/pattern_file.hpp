// Reads patterns from files.
#pragma once

#include <string>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep {

// Patterns of a file (plain, gzip or BGZF; "-" is stdin), told apart by content: FASTA, FASTQ, EMBL, GenBank, or lines
// of name, tab, sequence (further columns, empty lines and lines that start with '#' are passed over). Sequences come
// in upper case. Throws IoError; DataError with file and record or line for an illegal letter, an empty pattern, a name
// used twice, or a file without patterns.
std::vector<Pattern> read_patterns(const std::string& path);

}  // namespace basesweep
