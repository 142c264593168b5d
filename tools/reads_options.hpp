// The options that the commands which write reads share, and the checks that come before any work.
#pragma once

#include <string>
#include <vector>

#include "tools/job_options.hpp"
#include "tools/mate_input.hpp"
#include "tools/option_table.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

struct ReadsOptions : JobOptions, MateInput {
  ReadsOptions() { output.clear(); }  // where reads go is for the command to say

  bool drop_alignment = false;  // aligned reads are taken without their alignments

  // Whether the options say that reads are pairs. SAM, BAM and CRAM may say so themselves, see ReadsJob::paired().
  bool gives_pairs() const { return interleaved || !first_mates.empty(); }
  // All files of reads.
  std::vector<std::string> read_files() const;
};

// Adds reads as arguments, -1, -2, --interleaved, the options of SAM, BAM and CRAM, and those of chunks.
void add_reads_input(CLI::App& command, ReadsOptions& options);
// Adds --json, --html and --compression to the group of output, and the options of running. `quiet`: see
// add_running_options().
void add_reads_running(CLI::App& command, ReadsOptions& options, const std::string& quiet = "-q,--quiet");

// A value of reports for an option that is given several times.
ParameterValue joined(const std::vector<std::string>& values);
// Its words in @PG.
std::string repeated(const std::string& option, const std::vector<std::string>& values);

// --structure, for a command whose options have `structures`. `what`: what it has of the reads.
template <class Options>
OptionTable<Options> structure_option(const std::string& what) {
  return TableMaker<Options>()
      .texts("--structure", "STRUCTURE", &Options::structures,
             "The read structure, " + what +
                 ", as 8B12M+T; of pairs twice, first and second mates; or once a geometry, as 1{b[16]u[12]}2{r:}")
      .reported_as("structure", [](const Options& o) { return joined(o.structures); })
      .words([](const Options& o) { return repeated("--structure", o.structures); })
      .take();
}

// --table.
void add_read_table_option(CLI::App& command, std::string& table);

// Throws UsageError if the output of a chunk is not named as a part.
void check_chunk_output(const ReadsOptions& options);

// Throws UsageError if options conflict or a file is read and written. Without reads, makes stdin the reads. `read` and
// `written`: more files that the command reads and writes.
void check_reads_options(ReadsOptions& options, const std::string& command, const std::vector<std::string>& read,
                         const WrittenFiles& written);

}  // namespace basesweep
