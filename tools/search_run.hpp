// What `motif` and `match` do once they know what to search for and how to print it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
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

// Which part of the input is searched.
struct Scope {
  std::optional<RegionSet> regions;                  // nothing: all
  std::optional<RecordRange> reads;                  // of FASTQ: records
  std::vector<FastaWindows> windows;                 // what to read of the inputs; empty: all
  std::optional<std::vector<RecordInfo>> records{};  // all of the inputs that have bases, where they are known
  std::optional<Chunk> chunk;
  std::optional<std::int64_t> bases;  // in regions, where that is known
};

// By the options, the inputs' indices, and what the patterns reach. Says what would spare time.
Scope find_scope(const SearchOptions& options, const PatternSet& patterns, Report report);

struct Search {
  std::string command;
  std::chrono::steady_clock::time_point begin;
  const PatternSet& patterns;
  const Formatter& formatter;
  OutputCompression compression;
  Report report = Report::sites;
  Scope scope;
  RunParameters parameters;  // all that bear on the result
  std::optional<PartLabel> part{};
  bool label_first = false;  // the label is the first line of the output; else the formatter has it
};

// The options that both commands have, then `of_command`, then what limits the output.
RunParameters search_parameters(const SearchOptions& options, const RunParameters& of_command);
// What the output says of itself, if it is one of several.
std::optional<PartLabel> part_label(const std::string& command, const PatternSet& patterns, const Scope& scope,
                                    const RunParameters& parameters);
// Whether hits can only be counted when all parts are there, so that parts of counts have to tell them.
bool counts_need_hits(const SearchOptions& options, Report report);
// What a part tells of each hit for whoever merges.
MergeColumns merge_columns(const SearchOptions& options, const PatternSet& patterns,
                           const std::optional<PartLabel>& part);

// The reader of the command's inputs, for a search of the patterns.
Reader open_reader(const SearchOptions& options, const PatternSet& patterns, const Scope& scope);

// Runs the pipeline into the files that the options name; returns the exit code.
int run_search(const SearchOptions& options, const Search& search, Reader& reader);

}  // namespace basesweep
