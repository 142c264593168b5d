#include "tools/search_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "lib/error.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "tools/commands.hpp"

namespace basesweep {
namespace {

// The options that both commands report, then those of the command.
RunReport describe_run(const SearchOptions& o, const Search& search, const Matcher& matcher) {
  RunReport report;
  report.command = search.command;
  report.parameters = {{"strand", word_of(o.strand)},
                       {"palindromes", o.palindromes == PalindromeChoice::once ? "once" : "both"},
                       {"soft_masked", o.skip_soft_masked ? "skip" : "use"},
                       {"overlapping", o.non_overlapping ? "no" : "yes"}};
  report.parameters.insert(report.parameters.end(), search.parameters.begin(), search.parameters.end());
  report.parameters.emplace_back("max_hits", o.max_hits ? ParameterValue(*o.max_hits) : ParameterValue());
  report.matcher = matcher.describe();
  report.threads = worker_threads(o);
  return report;
}

// Where hits wait that cannot be printed yet: beside the output if that is a file, since there must be room for it.
std::string spool_directory(const std::string& output) {
  std::error_code failed;
  if (output != "-" && (std::filesystem::is_regular_file(output, failed) || !std::filesystem::exists(output, failed))) {
    const std::filesystem::path folder = std::filesystem::absolute(output, failed).parent_path();
    if (!folder.empty()) return folder.string();
  }
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(failed);
  return failed ? "/tmp" : temporary.string();
}

}  // namespace

Reader open_reader(const SearchOptions& o, const PatternSet& patterns) {
  ReaderOptions options;
  options.block_bytes = std::min<std::size_t>(options.block_bytes, most_columns_at_once(patterns));
  options.paths = o.inputs;
  options.threads = worker_threads(o);
  options.warn = warner(o);
  return Reader(std::move(options));
}

int run_search(const SearchOptions& o, const Search& search, Reader& reader) {
  const auto say = teller(o);
  const auto [device, gpu] = parse_device(o.device);
  const int threads = worker_threads(o);
  ProgressCounts progress;
  PipelineOptions pipeline;
  pipeline.packer.soft_masked = o.skip_soft_masked;
  pipeline.report = search.report;
  pipeline.select = {search.report == Report::best, o.non_overlapping, o.max_hits};
  pipeline.threads = threads;
  pipeline.batch_columns = o.batch_columns;
  pipeline.warn = warner(o);
  pipeline.progress = &progress;

  MatcherOptions matching;
  matching.algorithm = o.algorithm;
  matching.device = device;
  matching.gpu = gpu;
  matching.output = o.count && !o.non_overlapping && !search.patterns.approximate() ? Output::counts : Output::hits;
  matching.expected_bases = reader.expected_bases();
  matching.threads = threads;
  matching.log = say;
  const std::unique_ptr<Matcher> matcher = make_matcher(search.patterns, matching);
  say(fmt::format("matching {} patterns with {}, {} threads", search.patterns.patterns().size(), matcher->describe(),
                  threads));

  OutputFile output(o.output, threads, o.count ? OutputCompression::by_name : search.compression);
  std::unique_ptr<OutputFile> json =
      o.json.empty() ? nullptr : std::make_unique<OutputFile>(o.json, 1, OutputCompression::by_name);
  PipelineOutput to;
  if (!o.count) to = {&search.formatter, &output, search.records, ""};
  to.spool_directory = spool_directory(o.output);
  std::optional<ProgressMeter> meter;
  start_meter(o, progress, reader.text_bytes(), meter);
  const RunSummary summary = run_pipeline(pipeline, reader, search.patterns, *matcher, to);
  meter.reset();
  if (o.count) output.write(count_table(search.patterns, summary.counts));

  RunReport report = describe_run(o, search, *matcher);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - search.begin).count();
  if (json != nullptr) json->write(json_report(report, search.patterns, summary));
  output.commit();
  if (json != nullptr) json->commit();
  if (summary.truncated) {
    pipeline.warn(fmt::format("stopped after {} hits (--max-hits); there are more", summary.hits));
  }
  say(fmt::format("{} hits in {:.3f} s", summary.hits, report.seconds));
  return 0;
}

}  // namespace basesweep
