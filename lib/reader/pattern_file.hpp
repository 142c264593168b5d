// Pattern files.
#pragma once

#include <string>
#include <vector>

#include "lib/search/pattern_set.hpp"

namespace basesweep {

// Columns of a pattern table, by name or by number from 1. "": they are found by the header or the content.
struct ColumnChoice {
  std::string name;      // of the patterns' names
  std::string sequence;  // of the patterns' sequences
  bool any() const { return !name.empty() || !sequence.empty(); }
};

// Reads the patterns of a file (plain, gzip or BGZF; "-" is stdin). The format is recognised by content: FASTA, FASTQ,
// EMBL, GenBank, a table with or without a header, BED with sequences, or one sequence a line; docs/formats.md
// describes them. Empty lines of a table and lines that start with '#' are ignored. Sequences are returned in upper
// case. Throws IoError, UsageError for a column chosen in a file that does not have it, and DataError for an illegal
// letter, an empty pattern, a repeated name, a table that can be read in two ways or a file without patterns, with path
// and line (FASTQ: number of the record).
std::vector<Pattern> read_patterns(const std::string& path, const ColumnChoice& columns = {});

}  // namespace basesweep
