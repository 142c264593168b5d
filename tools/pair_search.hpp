// How `motif` and `match` treat pairs of reads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lib/reader/reader.hpp"
#include "tools/search_options.hpp"
#include "tools/search_scope.hpp"

namespace basesweep {

// The section of the help about pairs. `noun`: of a pattern.
HelpSection pairs_help(const std::string& noun);

// Throws UsageError if options of pairs conflict with each other or with other options. Makes the files of -1, then
// those of -2, the inputs.
void check_pairs(SearchJobOptions& options);
// Throws UsageError if the options ask for pairs; `why`: the reason.
void refuse_pairs(const SearchJobOptions& options, std::string_view why);

// The next three are for options that ask for pairs.
// All of the input, or the pairs of a chunk.
Scope scope_of_pairs(const SearchJobOptions& options);
// Opens the inputs. `reading`: how single reads would be read.
std::unique_ptr<FileSource> open_pairs(const SearchJobOptions& options, ReaderOptions reading);

// The number of the first record that is read, of pairs or others.
std::int64_t first_record(const SearchJobOptions& options, const Scope& scope);

}  // namespace basesweep
