// The options that the commands which write reads share, and the checks that come before any work.
#pragma once

#include <string>
#include <vector>

#include "tools/job_options.hpp"
#include "tools/mate_input.hpp"
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

// Adds reads as arguments, -1, -2, --interleaved and the options of SAM, BAM and CRAM.
void add_reads_input(CLI::App& command, ReadsOptions& options);
// Adds --json and --compression to the group of output, and the options of running. `quiet`: see add_running_options().
void add_reads_running(CLI::App& command, ReadsOptions& options, const std::string& quiet = "-q,--quiet");

// Throws UsageError if options conflict or a file is read and written. Without reads, makes stdin the reads. `read` and
// `written`: more files that the command reads and writes.
void check_reads_options(ReadsOptions& options, const std::string& command, const std::vector<std::string>& read,
                         const WrittenFiles& written);

}  // namespace basesweep
