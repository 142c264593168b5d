#include "tools/search_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/packer/sample_text.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/part_hits.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/md5.hpp"
#include "tools/pair_search.hpp"
#include "tools/part_output.hpp"
#include "tools/print.hpp"
#include "tools/search_outputs.hpp"

namespace basesweep {
namespace {

// A chunk leaves all choices among hits to `merge`, apart from the first N where nothing else is chosen.
SelectOptions select_options(const SearchJobOptions& o, const Search& search, bool is_part) {
  SelectOptions select{.max_hits = o.max_hits, .by_source = o.per_file, .by_edits = o.by_edits};
  const bool chooses = chooses_hits(o, search.report);
  if (is_part && chooses) select.max_hits.reset();
  if (is_part || !chooses) return select;
  select.best = search.report == Report::best;
  select.non_overlapping = o.non_overlapping;
  select.best_per_record = search.report == Report::best_per_record;
  select.patterns_compete = o.patterns_compete;
  return select;
}

// The pattern's own limits, for the digest of the patterns; "" if it has none.
std::string limits_of(const Pattern& pattern) {
  const auto field = [](const std::optional<std::uint32_t>& limit) {
    return limit ? fmt::format("\t{}", *limit) : std::string("\t");
  };
  if (!pattern.has_limits()) return "";
  return field(pattern.edits) + field(pattern.clamp_5prime) + field(pattern.clamp_3prime);
}

}  // namespace

RunParameters search_parameters(const SearchJobOptions& o, const RunParameters& of_command) {
  RunParameters parameters = {{"strand", word_of(o.strand)},
                              {"palindromes", o.palindromes == PalindromeChoice::once ? "once" : "both"},
                              {"soft_masked", o.skip_soft_masked ? "skip" : "use"},
                              {"overlapping", o.non_overlapping ? "no" : "yes"}};
  if (o.circular.any()) parameters.emplace_back("circular", circular_word(o.circular));
  parameters.insert(parameters.end(), of_command.begin(), of_command.end());
  parameters.emplace_back("max_hits", o.max_hits ? ParameterValue(*o.max_hits) : ParameterValue());
  // Parameters of younger options stand only where the option is given.
  if (o.flank != 0) parameters.emplace_back("flank", std::int64_t{o.flank});
  if (o.with_file) parameters.emplace_back("with_file", "yes");
  if (o.per_file) parameters.emplace_back("per_file", "yes");
  if (o.by_edits) parameters.emplace_back("by_edits", "yes");
  return parameters;
}

std::optional<PartLabel> part_label(const std::string& command, const PatternSet& patterns, const Scope& scope,
                                    const RunParameters& parameters) {
  if (!scope.chunk) return std::nullopt;
  Md5 md5;
  for (const Pattern& pattern : patterns.patterns()) {
    md5.add(
        fmt::format("{}\t{}{}\n", pattern.name, pattern.sequence, patterns.approximate() ? limits_of(pattern) : ""));
  }
  constexpr std::array<std::string_view, 5> kOfFormat{"output", "sequence", "with_file", "edit_columns", "aligned"};
  RunParameters all = {{"command", command}};
  std::copy_if(parameters.begin(), parameters.end(), std::back_inserter(all), [&](const auto& one) {
    return std::find(kOfFormat.begin(), kOfFormat.end(), one.first) == kOfFormat.end();  // merge chooses these
  });
  all.emplace_back("patterns", md5.take());
  return scope.chunk->label(all);
}

std::string circular_word(const CircularRecords& circular) {
  return circular.all ? "all" : fmt::format("names:{}", fmt::join(circular.names, ","));
}

bool keeps_hits(const SearchJobOptions& o, Report report) { return !o.count || chooses_hits(o, report); }

RunParameters part_parameters(RunParameters all, const SearchJobOptions& o, Report report) {
  all.emplace_back("rows", keeps_hits(o, report) ? "hits" : "counts");
  return all;
}

bool chooses_hits(const SearchJobOptions& o, Report report) {
  return o.non_overlapping || report == Report::best || report == Report::best_per_record;
}

TableForm table_form(const SearchJobOptions& o) { return {table_format(o, "--count"), o.shown}; }

ShownColumns shown_columns(const SearchJobOptions& o) {
  ShownColumns columns = o.shown;
  if (o.with_file) columns.added.emplace_back("file");
  return columns;
}

HitRowOptions row_options(const SearchJobOptions& o) { return {.flank = o.flank, .files = input_names(o.inputs)}; }

void choose_header_records(const SearchJobOptions& o, OutputFormat format, Scope& scope) {
  const bool alignments = is_aligned(format);
  if (o.reads_pairs()) return scope.records.reset();  // mates share their names
  const bool listed = alignments || (format == OutputFormat::gff3 && o.circular.any());
  if (scope.indexed) {  // of parts, which know the records
    if (!listed && !(format == OutputFormat::gff3 && *scope.indexed)) scope.records.reset();
    return;
  }
  if (listed && scope.records) return;
  scope.records.reset();
  if (!alignments && format != OutputFormat::gff3) return;
  // An index behind a URL is only asked for where it saves reading the text.
  if (std::any_of(o.inputs.begin(), o.inputs.end(), is_url)) return;
  if (const auto indices = find_indices(o.inputs, o.regions)) scope.records = records_of(*indices);
}

namespace {

ReaderOptions reader_options(const SearchJobOptions& o, const PatternSet& patterns, const Scope& scope) {
  ReaderOptions options;
  options.block_bytes = std::min<std::size_t>(
      options.block_bytes, max_batch_positions(o.occurrences.value_or(expected_occurrences(patterns))));
  options.paths = o.inputs;
  options.threads = worker_threads(o);
  options.warn = warner(o);
  options.windows = scope.windows;
  options.records = scope.reads;
  options.alignments = o.alignments.reading;
  return options;
}

}  // namespace

Reader open_reader(const SearchJobOptions& o, const PatternSet& patterns, const Scope& scope) {
  return Reader(reader_options(o, patterns, scope));
}

std::unique_ptr<FileSource> open_source(const SearchJobOptions& o, const PatternSet& patterns, const Scope& scope) {
  ReaderOptions options = reader_options(o, patterns, scope);
  if (o.reads_pairs()) return open_pairs(o, std::move(options));
  return std::make_unique<Reader>(std::move(options));
}

namespace {

MatcherOptions matcher_options(const SearchJobOptions& o, const Run& run, const Search& search,
                               std::optional<std::int64_t> expected_bases) {
  DeviceChoice device = device_of(o.device);
  const bool counts_suffice = o.count && !o.non_overlapping && !o.per_file && !search.patterns.approximate() &&
                              !search.scope.regions && !o.writes_reads() && !o.circular.any();
  MatcherOptions matching;
  matching.algorithm = o.algorithm;
  matching.device = device.device;
  matching.gpus = std::move(device.gpus);
  matching.output = counts_suffice ? Output::counts : Output::occurrences;
  matching.expected_bases = search.scope.bases ? search.scope.bases : expected_bases;
  matching.threads = run.threads();
  matching.table_bytes = o.table_bytes;
  matching.tables = search.tables;
  return matching;
}

// A sample of the text, where an automatic choice depends on it. Reads the first block ahead.
std::optional<TextSample> sample_for(const MatcherOptions& matching, const Search& search, FileSource& reader) {
  constexpr std::int64_t kMinBases = 1 << 20;  // fewer are searched in less time than the choice would take
  if (matching.algorithm != Algorithm::automatic || matching.device == Device::gpu || search.make_matcher ||
      search.patterns.approximate() || matching.expected_bases.value_or(kMinBases) < kMinBases) {
    return std::nullopt;
  }
  const RawBlock* block = reader.first_block();
  return block == nullptr ? std::nullopt : sample_text(*block, search.patterns.max_length());
}

PipelineOptions pipeline_options(const SearchJobOptions& o, const Run& run, const Search& search) {
  PipelineOptions pipeline;
  pipeline.packer.soft_masked = o.skip_soft_masked;
  pipeline.report = search.report;
  pipeline.select = select_options(o, search, search.part.has_value());
  pipeline.threads = run.threads();
  pipeline.batch_positions = o.batch_positions;
  pipeline.occurrences = o.occurrences;
  pipeline.first_record = first_record(o, search.scope);
  pipeline.regions = search.scope.regions ? &*search.scope.regions : nullptr;
  pipeline.circular = o.circular;
  pipeline.circular_known = search.scope.circular_known;
  pipeline.warn = run.warn();
  return pipeline;
}

// What a run found.
struct Found {
  RunSummary summary;
  std::string matcher;
  std::vector<DeviceBatches> batches{};
  std::uint64_t rows = 0;                // of a table
  std::optional<Summaries> summaries{};  // of parts
};

// Whether the hits go through the pipeline's formatter; otherwise they are only counted.
bool prints_hits(const SearchJobOptions& o, const Search& search) {
  return search.part ? keeps_hits(o, search.report) : !o.count;
}

PipelineOutput pipeline_output(const SearchJobOptions& o, const Search& search, SearchOutputs& outputs) {
  PipelineOutput to;
  to.spool_directory = spool_directory(o.output);
  to.matching_records = outputs.matching_reads();
  to.other_records = outputs.other_reads();
  to.pairs = o.pairs.value_or(PairChoice::any);
  if (!prints_hits(o, search)) return to;
  to.formatter = &search.formatter;
  to.sink = outputs.part() != nullptr ? &outputs.part()->rows() : &outputs.output();
  if (!search.part) to.records = search.scope.records;
  if (!o.count) to.names = search.formatter.names();
  return to;
}

// Puts a collector before the output.
std::unique_ptr<HitCollector> collect(const Search& search, PipelineOutput& to) {
  if (!search.collect || to.sink == nullptr) return nullptr;
  std::unique_ptr<HitCollector> collector = search.collect(*to.sink);
  to.sink = collector.get();
  to.see_record = [own = collector.get()](std::int64_t reference, const std::string& name, std::uint32_t source) {
    own->see_record(reference, name, source);
  };
  to.pass = [own = collector.get()](std::int64_t reference) { own->pass(reference); };
  return collector;
}

void finish(HitCollector* collector, Found& found) {
  if (collector == nullptr) return;
  if (const auto chosen = collector->finish()) {
    found.summary.counts = chosen->counts;
    found.summary.hits = chosen->hits;
    found.summary.truncated = chosen->truncated;
  }
  found.rows = collector->rows();
}

Found search_text(const SearchJobOptions& o, const Search& search, Run& run, FileSource& reader,
                  SearchOutputs& outputs) {
  MatcherOptions matching = matcher_options(o, run, search, reader.expected_bases());
  matching.log = run.choose();
  const std::optional<TextSample> sample = sample_for(matching, search, reader);
  matching.text = sample ? &*sample : nullptr;
  const std::unique_ptr<Matcher> matcher =
      search.make_matcher ? search.make_matcher(matching) : make_matcher(search.patterns, matching);
  run.say()(fmt::format("matching {} patterns with {}, {} threads", search.patterns.patterns().size(),
                        matcher->describe(), run.threads()));
  PipelineOutput to = pipeline_output(o, search, outputs);
  const std::unique_ptr<HitCollector> collector = collect(search, to);
  PipelineOptions pipeline = pipeline_options(o, run, search);
  pipeline.expected_bases = search.scope.bases ? search.scope.bases : reader.expected_bases();
  pipeline.progress = &run.start_progress(reader);
  Found found{run_pipeline(pipeline, reader, search.patterns, *matcher, to), matcher->describe(), matcher->batches()};
  run.stop_progress();
  finish(collector.get(), found);
  run.say_batches(found.batches);
  return found;
}

// Whether the first hits of the parts suffice, of which each has all or, as the chunks were told, the first N.
bool first_suffice(const SearchJobOptions& o, const Search& search, const PartSet& parts) {
  std::uint64_t most = 0;
  const bool known = parse_number(parameter(parts.head().label, "max_hits"), most);
  return known && !chooses_hits(o, search.report) && o.max_hits && *o.max_hits <= most;
}

// Throws UsageError where parts cannot give what the options ask for, as far as their labels say.
void check_labels(const SearchJobOptions& o, const Search& search, const PartSet& parts) {
  const PartLabel& label = parts.head().label;
  if (parameter(label, "rows") != "counts") return;
  if (keeps_hits(o, search.report)) {
    throw UsageError("the chunks only counted hits (--count), so merge cannot choose among them or list them");
  }
  for (const auto& [option, missing] : {std::pair("--per-file", o.per_file && parameter(label, "per_file").empty()),
                                        {"--by-edits", o.by_edits && parameter(label, "by_edits").empty()}}) {
    if (!missing) continue;
    throw UsageError(
        fmt::format("{}: the chunks only counted hits (--count), and without it: run them with it", option));
  }
}

// The same, once all rows were read.
void check_parts(const SearchJobOptions& o, const Search& search, const PartSet& parts, const Summaries& summaries) {
  if (summaries.truncated() && !first_suffice(o, search, parts)) {
    throw UsageError(
        "a chunk stopped at its --max-hits, so merge cannot give more: lower --max-hits, or run the chunks without it");
  }
}

Found merge_parts(const SearchJobOptions& o, const Search& search, const Run& run, PartSet& parts,
                  SearchOutputs& outputs) {
  Found found;
  if (search.merge_table) {
    const MergedTable table = search.merge_table(parts, outputs.output());
    found.rows = table.rows;
    found.summary.hits = table.has_hits ? 1 : 0;
    found.summary.counts.resize(search.patterns.queries().size());
  } else {
    PipelineOutput to = pipeline_output(o, search, outputs);
    const std::unique_ptr<HitCollector> collector = collect(search, to);
    found.summary = run_part_hits({select_options(o, search, false), o.circular.any(), run.threads(), search.can_be},
                                  parts, search.patterns, to);
    finish(collector.get(), found);
  }
  found.summaries.emplace(parts);
  const CountShape shape{search.patterns.queries().size(), parts.head().inputs.size(), search.patterns.max_edits()};
  const std::optional<ChunkSummary> counts = found.summaries->add_up(shape);
  check_parts(o, search, parts, *found.summaries);
  // A chunk that stopped at its last hit knew of more.
  if (found.summaries->truncated()) found.summary.truncated = true;
  if (counts) {
    found.summary.counts = *counts->counts;
    found.summary.fine = counts->fine;
    found.summary.hits = std::accumulate(counts->counts->begin(), counts->counts->end(), std::uint64_t{0});
  }
  for (const std::string& input : input_names(parts.head().inputs)) {
    found.summary.sources.push_back({input, Compression::none, std::nullopt});
  }
  found.summary.source_counts.resize(found.summary.sources.size());
  return found;
}

void check_text(const SearchJobOptions& o, const Search& search, const Run& run, FileSource& reader) {
  reader.open_first();
  if (o.regions.any()) refuse_regions(reader.sources());
  if (!o.reads_pairs()) check_unit(search.scope, reader);
  check_reads_files(o, reader);
  if (o.circular.any() && search.formatter.needs_records() && reader.format() == Format::fastq) {
    throw UsageError(
        "GFF3 lists every circular record in its header, so with --circular it is only for hits on FASTA; "
        "this is FASTQ: choose --format tsv or bed");
  }
  run.say_compression(reader.sources());
}

ChunkSummary chunk_summary(const SearchJobOptions& o, const Search& search, const Found& found, std::string report) {
  ChunkSummary summary{.report = std::move(report), .truncated = found.summary.truncated};
  if (prints_hits(o, search) && !search.merge_table) return summary;
  summary.counts = found.summary.counts;
  summary.fine = found.summary.fine;
  return summary;
}

// Says what was read and found.
void summarize(const SearchJobOptions& o, const Search& search, const Run& run, const Found& found,
               const PartSet* parts) {
  const RunSummary& summary = found.summary;
  if (summary.truncated) {
    run.warn()(fmt::format("stopped after {} hits (--max-hits); there are more", summary.hits));
  }
  std::int64_t bases = 0;
  for (const SourceCounts& counts : summary.source_counts) bases += counts.bases;
  const std::string read = parts != nullptr ? counted(parts->paths().size(), "part")
                                            : inputs_read(o.inputs.size(), static_cast<std::uint64_t>(bases));
  const bool table = search.merge_table && parts != nullptr && summary.hits != 0;
  run.summarize(read, table ? counted(found.rows, "row") : counted(summary.hits, "hit"),
                summary.hits == 0 && !search.part);
}

}  // namespace

int run_search(const SearchJobOptions& o, const Search& search, Run& run, FileSource* reader, PartSet* parts) {
  if (reader != nullptr) check_text(o, search, run, *reader);
  if (parts != nullptr) check_labels(o, search, *parts);
  SearchOutputs outputs(o, search.format, search.part, run);
  const Found found =
      parts != nullptr ? merge_parts(o, search, run, *parts, outputs) : search_text(o, search, run, *reader, outputs);
  if (o.count && !search.part) {
    outputs.output().write(count_table(search.patterns, found.summary.counts, found.summary.fine, input_names(o.inputs),
                                       search.names, table_form(o)));
  }
  RunReport report;
  report.parameters = search.parameters;
  if (!o.columns.name.empty()) report.parameters.emplace_back("name_column", o.columns.name);
  if (!o.columns.sequence.empty()) report.parameters.emplace_back("pattern_column", o.columns.sequence);
  report.matcher = found.matcher;
  report.batches = found.batches;
  if (search.part) report.part = search.part->label;
  const auto print = [&](const RunReport& all) {
    const std::string printed = search.print_report ? search.print_report(all, found.summary)
                                                    : json_report(all, search.patterns, found.summary);
    return found.summaries ? found.summaries->report(printed) : printed;
  };
  std::vector<std::pair<std::string, std::string>> written{{"--output", o.output}};
  for (const auto& [option, path] : record_outputs(o)) written.emplace_back(option, path);
  run.commit(std::move(report), std::move(written), print, [&](const RunReport& all) {
    if (outputs.part() != nullptr) outputs.part()->finish(chunk_summary(o, search, found, print(all)));
    outputs.commit();
  });
  summarize(o, search, run, found, parts);
  return 0;
}

}  // namespace basesweep
