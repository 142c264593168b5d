#include "tools/reads_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "lib/base/error.hpp"
#include "lib/rows/output_format.hpp"
#include "tools/shared_options.hpp"

namespace basesweep {

std::vector<std::string> ReadsOptions::read_files() const {
  std::vector<std::string> files = inputs;
  const std::vector<std::string> mates = files_of(*this);
  files.insert(files.end(), mates.begin(), mates.end());
  return files;
}

void add_reads_input(CLI::App& command, ReadsOptions& o) {
  keep_words(command, o);
  begin_group(command, group::kInput);
  add_arguments(command, "reads", "FILE", o.inputs,
                "FASTQ or FASTA, plain or compressed, or unaligned SAM, BAM or CRAM; a URL; - or no file: stdin");
  add_mate_options(command, o, "; SAM, BAM and CRAM say it themselves (FLAG 1)");
  add_alignment_options(command, o.alignments);
  add_flag(command, "--drop-alignment", o.drop_alignment,
           "Take the reads of aligned SAM, BAM and CRAM as they came from the sequencer, without their alignments");
  add_chunk_options(command, o.chunk);
  begin_group(command, group::kInput);
}

void add_reads_running(CLI::App& command, ReadsOptions& o, const std::string& quiet) {
  begin_group(command, group::kOutput);
  add_report_options(command, o);
  add_compression_option(command, o.compression);
  add_running_options(command, o, quiet);
}

ParameterValue joined(const std::vector<std::string>& values) {
  return parameter_of(fmt::format("{}", fmt::join(values, " ")));
}

std::string repeated(const std::string& option, const std::vector<std::string>& values) {
  std::string words;
  for (const std::string& value : values) words += " " + option + " " + value;
  return words;
}

void add_read_table_option(CLI::App& command, std::string& table) {
  add_text(command, "--table", "FILE", table, "Write a table with a row for each read",
           {.kept = false,
            .in_merge = "Write the table of pcr in place of products; or, with a file, the table of reads of demux and "
                        "trim, if chunks had --table"});
}

void check_chunk_output(const ReadsOptions& o) {
  if (o.output.empty()) throw UsageError("no file for the part of the chunk is given: use -o FILE.bsp");
  if (o.output == "-" || format_of_name(o.output, std::array{OutputFormat::part}, false)) return;
  throw UsageError(
      fmt::format("-o {}: a chunk is written as a part: name a file .bsp; 'basesweep merge' writes the output of the "
                  "run of all parts",
                  o.output));
}

void check_reads_options(ReadsOptions& o, const std::string& command, const std::vector<std::string>& read,
                         const WrittenFiles& written) {
  check_mates(o, o.inputs);
  if (o.first_mates.empty() && o.inputs.empty()) {
    check_stdin(command);
    o.inputs = {"-"};
  }
  std::vector<std::string> all = o.read_files();
  all.insert(all.end(), read.begin(), read.end());
  for (const std::string& file : o.alignments.files()) all.push_back(file);
  if (!o.chunk.plan.empty()) all.push_back(o.chunk.plan);
  check_run_options(o, all, written);
}

}  // namespace basesweep
