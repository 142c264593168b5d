#include "tools/reads_job.hpp"

#include "lib/base/error.hpp"

namespace basesweep {

void ReadsJob::open_text(const PartSet* /*parts*/, Run& run) {
  const ReadsOptions& o = options();
  AlignmentOptions alignments = o.alignments.reading;
  alignments.all_tags = true;
  reads_ = std::make_unique<ReadSource>(ReadSourceOptions{.paths = o.first_mates.empty() ? o.inputs : o.first_mates,
                                                          .mate_paths = o.second_mates,
                                                          .interleaved = o.interleaved,
                                                          .threads = run.threads(),
                                                          .alignments = alignments,
                                                          .warn = run.warn()});
  paired_ = reads_->interleaved() || o.gives_pairs();
  const std::optional<Format> format = reads_->format();
  if (format == Format::twobit) throw UsageError(".2bit holds sequences, not reads: give FASTQ, FASTA or BAM");
  if (format == Format::fasta) input_format_ = OutputFormat::fasta;
  const std::vector<SourceInfo> sources = reads_->sources();
  if (!sources.empty() && sources.front().alignments) input_format_ = OutputFormat::bam;
  run.say_compression(sources);
  prepare(run);
}

void ReadsJob::search(Run& run) {
  ReadRunOptions running;
  running.paired = paired_;
  running.threads = run.threads();
  running.format = output_format();
  running.title_tags = input_format_ == OutputFormat::bam;
  running.progress = &run.start_progress(*reads_);
  found_ = run_reads(running, *reads_, processor(), targets());
  found_.sources = reads_->sources();
}

void ReadsJob::merge(PartSet& /*parts*/, const Run& /*run*/) {
  throw UsageError("runs of this command have no parts to merge");
}

}  // namespace basesweep
