// The files that `trim` writes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tools/trim_options.hpp"

namespace basesweep {

class PartSet;
struct ReadsQuery;

// Files of reads: those of first and of second mates, or one for both.
struct TrimDestination {
  TrimReason reason;  // why reads are written there
  std::array<const char*, 2> options;
  std::array<std::string, 2> paths;
};

void add_trim_files(CLI::App& command, TrimArguments& arguments);
// The options of the files that reads go to for this reason.
const std::array<const char*, 2>& trim_file_options(TrimReason reason);
// The files that are given; that of the reads that are left first.
std::vector<TrimDestination> trim_destinations(const TrimArguments& arguments);
// All files but the output and the report, with their options.
WrittenFiles trim_written_files(const TrimArguments& arguments);

// Throws UsageError for files of second mates without those of first mates, and for the part of a chunk that is not
// named as one.
void check_trim_files(const TrimArguments& arguments);
// The checks that come before any work where parts are merged. `query`: of the parts. Throws UsageError.
void check_trim_merge(TrimArguments& arguments, const ReadsQuery& query, const PartSet& parts);
// Throws UsageError unless the files are those that the chunks have reads for. `reasons`: of the chunks' destinations.
void check_trim_reasons(const TrimArguments& arguments, const ReadsQuery& query,
                        const std::vector<TrimReason>& reasons);

// The format that the options ask for; nothing: that of the input. Throws UsageError.
std::optional<OutputFormat> choose_trim_format(const TrimArguments& arguments);
// Throws UsageError if the name of a file asks for another format.
void check_trim_names(const TrimArguments& arguments, OutputFormat format);

}  // namespace basesweep
