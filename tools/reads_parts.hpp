// The contents of the parts of commands that write or count reads, besides reads and totals.
#pragma once

#include <string>
#include <vector>

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/read_parts.hpp"
#include "lib/report/report.hpp"
#include "lib/rows/output_format.hpp"
#include "tools/reads_options.hpp"

namespace basesweep {

// The facts about a run that merging needs, apart from its options. All its parts have the same.
struct ReadsQuery {
  RunParameters parameters;  // of the report; null: merging says what they are
  OutputFormat format = OutputFormat::fastq;
  bool paired = false;
  ReadFiles files;
  // Of SAM and BAM: the lines of the header that are of the inputs, and the command line for @PG.
  std::vector<std::string> header_lines{};
  std::string command_line{};
  std::string own{};  // of the command, encoded by itself
};

// The contents of a chunk's part before its rows. `reference`: the sheet or library of the run, "" if it has none.
PartHead reads_part(const std::string& command, const ReadsOptions& options, const Chunk& chunk,
                    const ReadsQuery& query, const std::string& reference);
// Throws DataError.
ReadsQuery reads_query_of(const PartSet& parts);

// Throws UsageError if options of merging conflict, a file is read and written, or the parts cannot give what they ask
// for. `written`: more files that are written.
void check_reads_merge(const ReadsOptions& options, const ReadsQuery& query, const PartSet& parts,
                       const WrittenFiles& written);

// The error for parts whose `own` cannot be.
DataError damaged_query(const PartSet& parts);

}  // namespace basesweep
