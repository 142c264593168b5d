#include "tools/reads_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/writer/sam_header.hpp"

namespace basesweep {

std::unique_ptr<ReadSource> ReadsJob::open_reads(const Run& run, std::function<void(const std::string&)> warn) const {
  const ReadsOptions& o = options();
  AlignmentOptions alignments = o.alignments.reading;
  alignments.all_tags = true;
  alignments.drop_alignment = o.drop_alignment;
  return std::make_unique<ReadSource>(ReadSourceOptions{.paths = o.first_mates.empty() ? o.inputs : o.first_mates,
                                                        .mate_paths = o.second_mates,
                                                        .interleaved = o.interleaved,
                                                        .threads = run.threads(),
                                                        .alignments = alignments,
                                                        .warn = std::move(warn)});
}

void ReadsJob::open_text(const PartSet* /*parts*/, Run& run) {
  reads_ = open_reads(run, run.warn());
  paired_ = reads_->interleaved() || options().gives_pairs();
  const std::optional<Format> format = reads_->format();
  if (format == Format::twobit) throw UsageError(".2bit holds sequences, not reads: give FASTQ, FASTA or BAM");
  if (format == Format::fasta) input_format_ = OutputFormat::fasta;
  const std::vector<SourceInfo> sources = reads_->sources();
  if (!sources.empty() && sources.front().alignments) input_format_ = OutputFormat::bam;
  run.say_compression(sources);
  prepare(run);
}

void ReadsJob::read_through(ReadProcessor& processor, const Run& run) const {
  const auto again = open_reads(run, [](const std::string&) {});
  again->interleaved();
  ReadRunOptions running;
  running.paired = paired_;
  running.threads = run.threads();
  run_reads(running, *again, processor, {});
}

void ReadsJob::search(Run& run) {
  read_first(run);
  ReadRunOptions running;
  running.paired = paired_;
  running.threads = run.threads();
  running.format = output_format();
  running.title_tags = input_format_ == OutputFormat::bam;
  running.progress = &run.start_progress(*reads_);
  found_ = run_reads(running, source(), processor(), targets());
  found_.sources = reads_->sources();
}

std::string ReadsJob::header(OutputFormat format, const std::string& command_line,
                             const std::optional<std::string>& read_groups) const {
  if (!is_aligned(format)) return "";
  std::vector<std::string> lines;  // each once
  for (const SourceInfo& source : reads_->sources()) {
    if (!source.alignments) continue;
    for (const std::string& line : source.alignments->header) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  const std::string text = unaligned_header_text(lines, read_groups, command_line);
  return format == OutputFormat::bam ? bam_header(text, {}) : text;
}

void ReadsJob::check_format(OutputFormat format, const std::string& asked) const {
  if (format == OutputFormat::fastq && input_format_ == OutputFormat::fasta)
    throw UsageError(fmt::format("{}: the input is FASTA, which has no qualities", asked));
}

void ReadsJob::warn_at_end(const Run& run, bool /*merged*/) {
  if (found_.left_out_tags) {
    run.warn()(
        "tags that speak of all bases of a read (mv, ns, ts, pt, kinetics) are left out of the reads that were cut or "
        "turned");
  }
}

void ReadsJob::merge(PartSet& /*parts*/, const Run& /*run*/) {
  throw UsageError("runs of this command have no parts to merge");
}

}  // namespace basesweep
