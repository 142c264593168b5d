// The options that `motif` and `match` share, and the checks that come before any work.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/pipeline/record_sinks.hpp"
#include "lib/reader/pattern_file.hpp"
#include "lib/search/pattern_set.hpp"
#include "tools/job_options.hpp"
#include "tools/mate_input.hpp"
#include "tools/shared_options.hpp"

namespace basesweep {

struct SearchJobOptions : JobOptions, MateInput {
  std::vector<std::string> patterns;
  std::vector<std::string> pattern_files;
  std::optional<std::uint32_t> mismatches;  // --mismatches, see take_mismatches()
  ColumnChoice columns;                     // of tables among the pattern files
  StrandChoice strand = StrandChoice::both;
  PalindromeChoice palindromes = PalindromeChoice::once;
  bool skip_soft_masked = false;
  bool non_overlapping = false;
  CircularRecords circular;
  bool patterns_compete = false;  // --best-of record
  std::optional<std::uint64_t> max_hits;
  bool count = false;
  std::vector<std::string> matching_reads;  // files for the records that have a hit; a second one for second mates
  std::vector<std::string> other_reads;     // files for those that have none
  std::optional<PairChoice> pairs;          // --pairs
  bool reads_pairs() const { return interleaved || !first_mates.empty() || pairs; }
  bool parts_of_pairs = false;  // the run finishes chunks, which read pairs
  bool has_pairs() const { return reads_pairs() || parts_of_pairs; }
  bool writes_reads() const { return !matching_reads.empty() || !other_reads.empty(); }
  bool per_file = false;
  bool whole_text = false;  // a chunk searches all of the text; its regions choose what is written
  bool by_edits = false;    // of `match`
  std::uint32_t flank = 0;
  std::uint32_t reach = 0;            // of `pcr`: hits that start this far past a region are needed too
  std::optional<double> occurrences;  // of `pwm`: expected at a position
  bool with_file = false;
  std::uint32_t batch_positions = 0;
  std::optional<std::uint64_t> table_bytes;  // --table-memory
};

// `noun`: what the command calls a pattern ("motif").
void add_pattern_options(CLI::App& command, SearchJobOptions& options, const std::string& noun);  // -p, -f and columns
void add_name_column(CLI::App& command, std::string& column, const std::string& of);
// Adds the options of all commands that search text: input, regions, chunks, output and running. `more_of_cram`: the
// use of --cram-reference besides the input.
void add_text_options(CLI::App& command, SearchJobOptions& options, const std::string& more_of_cram = "");
void add_table_memory(CLI::App& command, SearchJobOptions& options);

// Options that bear on what is found. `noun`: of a pattern; `rows`: "hits".
OptionTable<SearchJobOptions> strand_options(const std::string& noun);  // and palindromes
OptionTable<SearchJobOptions> soft_masked_option(const std::string& help);
OptionTable<SearchJobOptions> non_overlapping_option(const std::string& noun);
OptionTable<SearchJobOptions> circular_option();
OptionTable<SearchJobOptions> max_hits_option();
OptionTable<SearchJobOptions> count_options(const std::string& rows, const std::string& by);
OptionTable<SearchJobOptions> per_file_option(const std::string& rows);
OptionTable<SearchJobOptions> with_file_option(const std::string& tables);
// All that `motif` and `match` share.
OptionTable<SearchJobOptions> hit_options(const std::string& noun);

// The records as a word without spaces.
std::string circular_word(const CircularRecords& circular);
// The columns that --columns and --with-file ask for.
ShownColumns shown_columns(const SearchJobOptions& options);

// The section of the help about --circular.
HelpSection circular_help();

// Throws UsageError if options conflict or a file is read and written. Without inputs, makes stdin the input.
void check_search_options(SearchJobOptions& options, const std::string& command, const WrittenFiles& written = {});

// The format of the output: counts with --count, else the result of choose_format(). `formats`: the formats of hits
// that the command writes. Throws UsageError.
std::optional<OutputFormat> output_format(const SearchJobOptions& options, std::span<const OutputFormat> formats);

// The format of the table that `option` ("--count") asks for, by --format or the output's name. Throws UsageError.
OutputFormat table_format(const SearchJobOptions& options, const std::string& option);

// Whether the options are of a chunk whose format only `merge` knows.
bool merge_chooses_format(const SearchJobOptions& options);

// Throws UsageError if an option is given that this format has no place for.
void check_details(const SearchJobOptions& options, OutputFormat format);

// The patterns for an approximate search. Throws UsageError or DataError unless each has edits, its own or those of -k
// or -e.
PatternSet with_edits(std::vector<Pattern> patterns, StrandChoice strand, PalindromeChoice palindromes,
                      const EditOptions& edits);

// The patterns of all -f, then of all -p. Throws UsageError if there are none, DataError or IoError if a file is bad.
// Adds to `left_out` what was left out of their sequences. `rows`: unless it is null, the columns of the only file;
// where there are more sources, name and sequence. `repeated`: whether a name may appear in several places.
std::vector<Pattern> collect_patterns(const SearchJobOptions& options, LeftOut& left_out, PatternRows* rows = nullptr,
                                      RepeatedNames repeated = RepeatedNames::refused);

// The sequence that an option gives, with `option` ("-p x") in the message of the UsageError for one that is none.
std::string given_sequence(const std::string& option, const std::string& written, LeftOut& left_out);

}  // namespace basesweep
