// The files of --matching-reads and --other-reads.
#pragma once

#include "lib/reader/reader.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

// Throws UsageError if a file of --matching-reads or --other-reads cannot hold records of the reader as they are.
void check_reads_files(const SearchJobOptions& options, Reader& reader);

}  // namespace basesweep
