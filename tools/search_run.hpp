// The part of `motif`, `match` and `pwm` that is the same once patterns and output format are known.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/pipeline/matrix_hits.hpp"
#include "lib/pipeline/matrix_tables.hpp"
#include "lib/reader/reader.hpp"
#include "lib/report/count_table.hpp"
#include "lib/report/report.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/run.hpp"
#include "tools/search_options.hpp"
#include "tools/search_part.hpp"
#include "tools/search_scope.hpp"

namespace basesweep {

struct Search {
  const PatternSet& patterns;
  const Formatter& formatter;  // of a part: PartRows
  OutputFormat format;
  Report report = Report::sites;
  Scope scope;
  RunParameters parameters;        // all options that affect the result
  std::optional<PartHead> part{};  // of a chunk
  // What `pwm` has of its own; otherwise empty. `collect`: takes what `formatter` makes, and writes the output.
  std::function<std::unique_ptr<Matcher>(const MatcherOptions& options)> make_matcher{};
  std::function<std::unique_ptr<HitCollector>(ByteSink& output)> collect{};
  std::function<MergedTable(PartSet& parts, ByteSink& output)> merge_table{};  // parts have rows of a table
  std::function<std::string(const RunReport& run, const RunSummary& summary)> print_report{};
  std::function<bool(const PlacedHit& hit)> can_be{};  // see PartHitOptions
  std::vector<std::string> names{};                    // second names of the patterns, for --count
  const StoredTables* tables = nullptr;                // of a compiled set
};

// The parameters of the report: those of both commands, then `of_command`, then --max-hits.
RunParameters search_parameters(const SearchJobOptions& options, const RunParameters& of_command);
// The records as a word without spaces.
std::string circular_word(const CircularRecords& circular);
// Whether a chunk keeps its hits; otherwise it only counts them.
bool keeps_hits(const SearchJobOptions& options, Report report);
// The parameters of the label of a chunk that looks for hits.
RunParameters part_parameters(RunParameters all, const SearchJobOptions& options, Report report);
// The label that a chunk's output carries for `merge`; nothing for a whole run.
std::optional<PartLabel> part_label(const std::string& command, const PatternSet& patterns, const Scope& scope,
                                    const RunParameters& parameters);
// Whether hits are chosen among those of all chunks, so that parts must hold hits, also where only counts are wanted.
bool chooses_hits(const SearchJobOptions& options, Report report);

// How the table of --count is printed.
TableForm table_form(const SearchJobOptions& options);
// The columns that --columns and --with-file ask for.
ShownColumns shown_columns(const SearchJobOptions& options);
HitRowOptions row_options(const SearchJobOptions& options);
// Leaves the records in the scope that the header of this format lists, as far as they are known beforehand: for GFF3
// those of the inputs' indices only, so that chunks and a whole run list the same.
void choose_header_records(const SearchJobOptions& options, OutputFormat format, Scope& scope);

// Opens the inputs for a search of the patterns.
Reader open_reader(const SearchJobOptions& options, const PatternSet& patterns, const Scope& scope);
// The same for commands whose input may be pairs.
std::unique_ptr<FileSource> open_source(const SearchJobOptions& options, const PatternSet& patterns,
                                        const Scope& scope);

// Searches the text of the reader, or finishes the run that has these parts, and writes the files that the options
// name. One of both is null. Returns the exit code.
int run_search(const SearchJobOptions& options, const Search& search, Run& run, FileSource* reader, PartSet* parts);

}  // namespace basesweep
