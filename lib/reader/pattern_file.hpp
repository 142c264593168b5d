// Pattern files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/reader/cas_offinder.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/written_sequence.hpp"

namespace basesweep {

// Columns of a pattern table, by name or by number from 1. "": they are found by the header or the content.
struct ColumnChoice {
  std::string name;      // of the patterns' names
  std::string sequence;  // of the patterns' sequences
  bool any() const { return !name.empty() || !sequence.empty(); }
};

// The columns of a pattern file as they are, for a table that goes on with more. If the file is no table, they are name
// and sequence, as they are returned.
struct PatternRows {
  std::vector<std::string> header;             // where the file has none: "name", "sequence", "column_3"
  std::vector<std::vector<std::string>> rows;  // of each pattern, as wide as the header; blanks for control characters
  std::optional<CasOffinderInput> cas_offinder{};  // if the file is one
};

// Reads the patterns of a file (plain, gzip or BGZF; "-" is stdin). The format is recognised by content: FASTA, FASTQ,
// EMBL, GenBank, a table with or without a header, BED with sequences, one sequence a line, or the output of primer3 or
// Primer-BLAST; docs/patterns.md describes them. With `rows` it may be an input of Cas-OFFinder too. Empty lines of a
// table and lines that start with '#' are ignored. Sequences are read by read_written(), and returned in upper case.
// Throws IoError, UsageError for a column chosen in a file that does not have it, and DataError for an illegal letter,
// an empty pattern, a repeated name, a table that can be read in two ways or a file without patterns, with path and
// line (FASTQ: number of the record). Fills `rows` unless it is null, and adds to `left_out` unless that is null.
std::vector<Pattern> read_patterns(const std::string& path, const ColumnChoice& columns = {},
                                   PatternRows* rows = nullptr, RepeatedNames repeated = RepeatedNames::refused,
                                   LeftOut* left_out = nullptr);

}  // namespace basesweep
