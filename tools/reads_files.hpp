// The files of --matching-reads and --other-reads.
#pragma once

#include "lib/reader/reader.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

void add_record_files(CLI::App& command, SearchJobOptions& options);
// --pairs, which chooses among pairs.
OptionRow<SearchJobOptions> pairs_option();
// The files, each with its option.
WrittenFiles record_files(const SearchJobOptions& options);
// Throws UsageError if these options conflict with each other or with others.
void check_record_files(const SearchJobOptions& options);

// Throws UsageError if the name of the output of hits says that it holds reads.
void refuse_reads(const SearchJobOptions& options);

// Throws UsageError if a file of --matching-reads or --other-reads cannot hold records of the reader as they are.
// Warns of pairs that are written as single reads.
void check_reads_files(const SearchJobOptions& options, FileSource& reader);

}  // namespace basesweep
