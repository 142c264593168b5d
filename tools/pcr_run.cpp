#include "tools/pcr_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/part_products.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/report/count_table.hpp"
#include "tools/print.hpp"
#include "tools/search_outputs.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

// What a run found.
struct Found {
  ProductSummary summary;
  std::string matcher{};
  std::vector<DeviceBatches> batches{};
  std::optional<Summaries> summaries{};  // of parts
};

// A chunk leaves all choices among products to `merge`, apart from the first N where nothing else is chosen. Whether
// counts are wanted by file is not known before it either.
ProductSelectOptions select_options(const PcrJob& job) {
  const PcrJobOptions& o = job.options;
  if (!job.part) return {o.report, o.max_products, o.search.per_file};
  ProductSelectOptions select{.by_source = true};
  if (o.report == ProductReport::all) select.max_products = o.max_products;
  return select;
}

MatcherOptions matcher_options(const PcrJob& job, const Run& run, Reader& reader) {
  const SearchJobOptions& o = job.options.search;
  DeviceChoice device = device_of(o.device);
  MatcherOptions matching;
  matching.algorithm = o.algorithm;
  matching.device = device.device;
  matching.gpus = std::move(device.gpus);
  matching.expected_bases = job.scope.bases ? job.scope.bases : reader.expected_bases();
  matching.threads = run.threads();
  matching.table_bytes = o.table_bytes;
  matching.tables = job.tables;
  matching.log = run.choose();
  return matching;
}

ProductPipelineOptions pipeline_options(const PcrJob& job, const Run& run, Reader& reader) {
  const SearchJobOptions& o = job.options.search;
  const Scope& scope = job.scope;
  ProductPipelineOptions pipeline;
  pipeline.packer.soft_masked = o.skip_soft_masked;
  pipeline.select = select_options(job);
  pipeline.threads = run.threads();
  pipeline.batch_positions = o.batch_positions;
  pipeline.expected_bases = scope.bases ? scope.bases : reader.expected_bases();
  if (scope.reads) pipeline.first_record = scope.reads->begin;
  pipeline.regions = scope.regions ? &*scope.regions : nullptr;
  pipeline.circular = o.circular;
  pipeline.circular_known = scope.circular_known;
  pipeline.warn = run.warn();
  pipeline.find_turned = !job.part;  // a chunk does not see the products of the others
  return pipeline;
}

ProductOutput product_output(const PcrJob& job, SearchOutputs& outputs) {
  const PcrJobOptions& o = job.options;
  ProductOutput to;
  to.spool_directory = spool_directory(o.search.output);
  if (job.part ? only_counts(o) : o.search.count) return to;
  to.formatter = &job.formatter;
  to.sink = job.part ? &outputs.part()->rows() : &outputs.output();
  to.names = job.formatter.names();
  if (!job.part) to.records = job.scope.records;
  return to;
}

Found search_text(const PcrJob& job, Run& run, Reader& reader, SearchOutputs& outputs) {
  const std::unique_ptr<Matcher> matcher = make_matcher(job.patterns, matcher_options(job, run, reader));
  run.say()(fmt::format("matching the primers of {} pairs with {}, {} threads", job.primers.pairs().size(),
                        matcher->describe(), run.threads()));
  ProductPipelineOptions pipeline = pipeline_options(job, run, reader);
  pipeline.progress = &run.start_progress(reader);
  Found found{run_product_pipeline(pipeline, reader, job.primers, job.patterns, *matcher, product_output(job, outputs)),
              matcher->describe(), matcher->batches()};
  run.stop_progress();
  run.say_batches(found.batches);
  if (job.part && only_counts(job.options)) write_product_counts(found.summary, outputs.part()->rows());
  return found;
}

// Throws UsageError if chunks stopped before products that the options ask for.
void check_truncated(const PcrJobOptions& o, const PartSet& parts, const Summaries& summaries) {
  if (!summaries.truncated()) return;
  std::uint64_t of_chunk = 0;
  parse_number(parameter(parts.head().label, "max_hits"), of_chunk);
  if (o.report == ProductReport::all && o.max_products && *o.max_products <= of_chunk) return;
  throw UsageError(
      "a chunk stopped at its --max-products, so merge cannot give more, or choose: lower --max-products, or run the "
      "chunks without it");
}

Found merge_parts(const PcrJob& job, const Run& run, PartSet& parts, SearchOutputs& outputs) {
  const PcrJobOptions& o = job.options;
  const bool counts = parameter(parts.head().label, "rows") == "counts";
  Found found{counts ? merge_product_counts(parts, job.primers, o.search.per_file)
                     : run_part_products(select_options(job), run.threads(), parts, job.primers, job.patterns,
                                         product_output(job, outputs))};
  found.summaries.emplace(parts);
  check_truncated(o, parts, *found.summaries);
  // A chunk that stopped at its last product knew of more.
  if (found.summaries->truncated()) found.summary.truncated = true;
  for (const std::string& input : input_names(parts.head().inputs)) {
    found.summary.sources.push_back({input, Compression::none, std::nullopt});
  }
  found.summary.source_counts.resize(found.summary.sources.size());
  return found;
}

RunReport report_of(const PcrJob& job, const Found& found) {
  const PairColumnChoice& columns = job.options.columns;
  RunReport report;
  report.parameters = job.parameters;
  for (const auto& [key, column] : {std::pair("name_column", columns.name),
                                    {"forward_column", columns.forward},
                                    {"reverse_column", columns.reverse}}) {
    if (!column.empty()) report.parameters.emplace_back(key, column);
  }
  report.matcher = found.matcher;
  report.batches = found.batches;
  if (job.part) report.part = job.part->label;
  return report;
}

// Says what was read and found.
void summarize(const PcrJob& job, const Run& run, const ProductSummary& summary, const PartSet* parts) {
  if (summary.truncated) {
    run.warn()(fmt::format("stopped after {} products (--max-products); there are more", summary.products));
  }
  std::int64_t bases = 0;
  for (const SourceCounts& counts : summary.source_counts) bases += counts.bases;
  const std::string read = parts != nullptr
                               ? counted(parts->paths().size(), "part")
                               : inputs_read(job.options.search.inputs.size(), static_cast<std::uint64_t>(bases));
  run.summarize(read, counted(summary.products, "product"), summary.products == 0 && !job.part);
}

void check_text(const PcrJob& job, const Run& run, Reader& reader) {
  reader.open_first();
  if (job.options.search.regions.any()) refuse_regions(reader.sources());
  check_unit(job.scope, reader);
  run.say_compression(reader.sources());
}

}  // namespace

bool only_counts(const PcrJobOptions& o) { return o.search.count && o.report == ProductReport::all; }

int run_pcr_job(const PcrJob& job, Run& run, Reader* reader, PartSet* parts) {
  const SearchJobOptions& o = job.options.search;
  if (reader != nullptr) check_text(job, run, *reader);
  SearchOutputs outputs(o, job.format, job.part, run);
  const Found found =
      parts != nullptr ? merge_parts(job, run, *parts, outputs) : search_text(job, run, *reader, outputs);
  if (o.count && !job.part) {
    const std::vector<std::string> files = o.per_file ? input_names(o.inputs) : std::vector<std::string>();
    outputs.output().write(product_table(job.primers, found.summary, files, table_form(o)));
  }
  const auto print = [&](const RunReport& all) {
    const std::string printed = json_report(all, job.primers, found.summary);
    return found.summaries ? found.summaries->report(printed) : printed;
  };
  run.commit(report_of(job, found), {{"--output", o.output}}, print, [&](const RunReport& all) {
    if (outputs.part() != nullptr) outputs.part()->finish({.report = print(all), .truncated = found.summary.truncated});
    outputs.commit();
  });
  summarize(job, run, found.summary, parts);
  return 0;
}

}  // namespace basesweep
