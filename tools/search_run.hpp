// What `motif` and `match` do once they know what to search for and how to print it.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/reader/reader.hpp"
#include "lib/report/report.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

struct Search {
  std::string command;
  std::chrono::steady_clock::time_point begin;
  const PatternSet& patterns;
  const Formatter& formatter;
  OutputCompression compression;
  Report report = Report::sites;
  std::optional<std::vector<RecordInfo>> records;  // where they are known beforehand
  RunParameters parameters;                        // of the command, for the JSON report
};

// The reader of the command's inputs, for a search of the patterns.
Reader open_reader(const SearchOptions& options, const PatternSet& patterns);

// Runs the pipeline into the files that the options name; returns the exit code.
int run_search(const SearchOptions& options, const Search& search, Reader& reader);

}  // namespace basesweep
