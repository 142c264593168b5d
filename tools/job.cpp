#include "tools/job.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "lib/base/stream_names.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

// A run of parts has read the inputs of its chunks.
void take_sources(const PartSet& parts, TextSummary& summary) {
  for (const std::string& input : input_names(parts.head().inputs)) {
    summary.sources.push_back({input, Compression::none, std::nullopt});
  }
  summary.source_counts.resize(summary.sources.size());
}

// What the page of the run is about: "genome.fa", "genome.fa and 2 more".
std::string subject_of(const std::vector<SourceInfo>& inputs) {
  if (inputs.empty()) return "standard input";
  const std::string first = std::filesystem::path(inputs.front().path).filename().string();
  return inputs.size() == 1 ? first : fmt::format("{} and {} more", first, inputs.size() - 1);
}

void finish_part(const Job& job, const TextSummary& found, std::string report, PartOutput& part) {
  ChunkSummary summary = job.chunk_summary();
  summary.report = std::move(report);
  summary.truncated = found.truncated;
  part.finish(summary, job.totals());
}

}  // namespace

std::uint64_t Job::bases_read() {
  std::int64_t bases = 0;
  for (const SourceCounts& counts : summary().source_counts) bases += counts.bases;
  return static_cast<std::uint64_t>(bases);
}

int run_job(Job& job, PartSet* parts) {
  JobOptions& o = job.options();
  Run run(job.command(), o);
  if (asks_for_columns(o.shown)) return job.show_columns();
  if (parts != nullptr) o.inputs = parts->head().inputs;
  job.settle(parts);
  if (job.answer_without_text(run)) return 0;
  if (parts == nullptr) prepare(o.alignments);
  job.find_queries(parts, run);
  job.open_text(parts, run);
  RunReport report;
  report.parameters = job.parameters();
  const std::optional<PartHead> part = job.part();
  if (part) report.part = part->label;
  Outputs outputs(run.compression(), o.compression);
  job.add_outputs(outputs, part);
  run.open_reports();

  parts != nullptr ? job.merge(*parts, run) : job.search(run);
  run.stop_progress();
  job.describe(report);
  run.say_batches(report.batches);
  TextSummary& found = job.summary();
  std::optional<Summaries> of_parts;
  if (parts != nullptr) {
    of_parts.emplace(*parts);
    job.take_summaries(*of_parts, *parts);
    found.truncated = found.truncated || of_parts->truncated();  // a chunk that stopped at its last hit knew of more
    take_sources(*parts, found);
  }
  if (!part) job.write_tables(run);

  const auto print = [&](const RunReport& whole) {
    const std::string printed = json_report(whole, [&job](auto& json) { job.add_findings(json); });
    return of_parts ? of_parts->report(printed, job.chunks_read_all()) : printed;
  };
  const auto files = outputs.names();
  run.commit(std::move(report), files, subject_of(found.sources), print, [&](const RunReport& whole) {
    if (part) finish_part(job, found, print(whole), *outputs.part());
    outputs.commit();
  });
  job.warn_at_end(run, parts != nullptr);
  const std::string read =
      parts != nullptr ? counted(parts->paths().size(), "part") : inputs_read(job.inputs_read(), job.bases_read());
  run.summarize({read, job.found(), job.found_more(), job.found_nothing() && !part,
                 parts != nullptr ? 0 : job.bases_read(), files});
  return 0;
}

}  // namespace basesweep
