#include "tools/reads_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/writer/sam_header.hpp"

namespace basesweep {

ReadSourceOptions ReadsJob::source_options(const Run& run) const {
  const ReadsOptions& o = options();
  AlignmentOptions alignments = o.alignments.reading;
  alignments.all_tags = true;
  alignments.keep_empty = true;
  alignments.unaligned_only = !o.drop_alignment;
  return {.paths = o.first_mates.empty() ? o.inputs : o.first_mates,
          .mate_paths = o.second_mates,
          .interleaved = o.interleaved,
          .threads = run.threads(),
          .alignments = alignments,
          .warn = run.warn()};
}

void ReadsJob::open_text(const PartSet* parts, Run& run) {
  if (parts != nullptr) return;
  const ReadsOptions& o = options();
  ReadSourceOptions source = source_options(run);
  chunk_ = find_chunk(o.chunk, source.paths, RegionOptions(), true, run.threads(), o.alignments.reading, run.warn());
  if (chunk_) source.records = chunk_->plan.range_of(chunk_->number);
  reads_ = std::make_unique<ReadSource>(std::move(source));
  paired_ = reads_->interleaved() || o.gives_pairs();
  const std::optional<Format> format = reads_->format();
  if (format == Format::twobit) throw UsageError(".2bit holds sequences, not reads: give FASTQ, FASTA or BAM");
  if (format == Format::fasta) input_format_ = OutputFormat::fasta;
  const std::vector<SourceInfo> sources = reads_->sources();
  if (!sources.empty() && sources.front().alignments) input_format_ = OutputFormat::bam;
  if (!format && input_format_ == OutputFormat::bam && asks_for_pairs()) paired_ = true;
  run.say_compression(sources);
  prepare(run);
}

void ReadsJob::read_through(ReadProcessor& processor, const Run& run) const {
  ReadRunOptions running;
  running.paired = paired_;
  running.threads = run.threads();
  run_reads(running, *reads_from_start(run), processor, {});
}

std::unique_ptr<ReadSource> ReadsJob::reads_from_start(const Run& run) const {
  ReadSourceOptions source = source_options(run);
  source.warn = [](const std::string&) {};  // the run itself warns
  auto reads = std::make_unique<ReadSource>(std::move(source));
  reads->interleaved();
  return reads;
}

const std::string& ReadsJob::take_query(const PartSet& parts) {
  query_ = reads_query_of(parts);
  paired_ = query_->paired;
  return query_->own;
}

RunParameters ReadsJob::parameters() const {
  if (!query_) return run_parameters();
  RunParameters all = query_->parameters;
  for (const auto& [key, value] : merged_parameters()) {
    for (auto& [known, its_value] : all) {
      if (known == key) its_value = value;
    }
  }
  return all;
}

std::optional<PartHead> ReadsJob::part() const {
  if (!chunk_) return std::nullopt;
  ReadsQuery query{.parameters = run_parameters(), .format = output_format(), .paired = paired_, .files = files()};
  for (const auto& [key, value] : merged_parameters()) {
    for (auto& [known, its_value] : query.parameters) {
      if (known == key) its_value = {};
    }
  }
  if (is_aligned(query.format)) {
    query.header_lines = header_lines();
    query.command_line = command_line();
  }
  query.own = own_query();
  return reads_part(command(), options(), *chunk_, query, reference());
}

void ReadsJob::add_outputs(Outputs& outputs, const std::optional<PartHead>& part) {
  if (!part) return add_files(outputs);
  part_targets_ = part_targets(files(), outputs.add_part(options().output, *part).writer());
}

void ReadsJob::search(Run& run) {
  read_first(run);
  ReadRunOptions running;
  running.paired = paired_;
  running.threads = run.threads();
  running.format = output_format();
  running.title_tags = input_format_ == OutputFormat::bam;
  running.progress = &run.start_progress(*reads_);
  found_ = run_reads(running, source(), processor(), chunk_ ? part_targets_ : targets());
  found_.sources = reads_->sources();
  if (chunk_) write_own_rows(*part_targets_.part);
}

void ReadsJob::merge_rows(PartSet& parts, const Run& run) {
  write_read_parts(parts, query_->files, targets(), run.threads());
}

void ReadsJob::merge(PartSet& parts, const Run& run) {
  merge_rows(parts, run);
  for (std::size_t i = 0; i < parts.paths().size(); ++i) take_totals(parts.totals()[i], parts.paths()[i]);
}

// The lines of the headers of all inputs, each once.
std::vector<std::string> ReadsJob::header_lines() const {
  if (query_) return query_->header_lines;
  std::vector<std::string> lines;
  for (const SourceInfo& source : reads_->sources()) {
    if (!source.alignments) continue;
    for (const std::string& line : source.alignments->header) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  return lines;
}

std::string ReadsJob::header(OutputFormat format, const std::optional<std::string>& read_groups) const {
  if (!is_aligned(format)) return "";
  const std::string text =
      unaligned_header_text(header_lines(), read_groups, query_ ? query_->command_line : command_line());
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

}  // namespace basesweep
