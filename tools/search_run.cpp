#include "tools/search_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/packer/sample_text.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/md5.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

// A chunk does not do what only `merge` can do with all chunks at hand.
SelectOptions select_options(const SearchJobOptions& o, const Search& search) {
  const bool best = search.report == Report::best;
  const bool waits = waits_for_merge(search.scope, search.report);
  SelectOptions select{.best = best,
                       .non_overlapping = o.non_overlapping,
                       .max_hits = o.max_hits,
                       .by_source = o.per_file,
                       .by_edits = o.by_edits};
  if (search.part) {
    select.non_overlapping = false;
    if (best || waits || o.non_overlapping) select.max_hits.reset();
  }
  select.best_per_record = search.report == Report::best_per_record && !waits;
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
  RunParameters all = {{"command", command}};
  all.insert(all.end(), parameters.begin(), parameters.end());
  all.emplace_back("patterns", md5.take());
  return scope.chunk->label(all);
}

std::string circular_word(const CircularRecords& circular) {
  return circular.all ? "all" : fmt::format("names:{}", fmt::join(circular.names, ","));
}

bool waits_for_merge(const Scope& scope, Report report) {
  return report == Report::best_per_record && scope.chunk && !scope.reads;
}

bool counts_need_hits(const SearchJobOptions& o, const Scope& scope, Report report) {
  return o.count && (o.non_overlapping || report == Report::best || waits_for_merge(scope, report));
}

MergeColumns merge_columns(const SearchJobOptions& o, const PatternSet& patterns,
                           const std::optional<PartLabel>& part) {
  if (!part) return {};
  const bool choosing = o.non_overlapping || parameter(*part, "records") == "cut";
  return merge_columns(patterns.approximate(), patterns.overhangs(), choosing, o.circular.any());
}

TableForm table_form(const SearchJobOptions& o) { return {table_format(o, "--count"), o.shown}; }

ShownColumns shown_columns(const SearchJobOptions& o) {
  ShownColumns columns = o.shown;
  if (o.with_file) columns.added.emplace_back("file");
  return columns;
}

HitRowOptions row_options(const SearchJobOptions& o, MergeColumns merge) {
  return {.merge = merge, .flank = o.flank, .files = input_names(o.inputs)};
}

void choose_header_records(const SearchJobOptions& o, OutputFormat format, Scope& scope) {
  const bool alignments = format == OutputFormat::sam || format == OutputFormat::bam || format == OutputFormat::cram;
  const bool listed = alignments || (format == OutputFormat::gff3 && o.circular.any());
  if (listed && scope.records) return;
  scope.records.reset();
  if (!alignments && format != OutputFormat::gff3) return;
  // An index behind a URL is only asked for where it saves reading the text.
  if (std::any_of(o.inputs.begin(), o.inputs.end(), is_url)) return;
  if (const auto indices = find_indices(o.inputs, o.regions)) scope.records = records_of(*indices);
}

Reader open_reader(const SearchJobOptions& o, const PatternSet& patterns, const Scope& scope) {
  ReaderOptions options;
  options.block_bytes = std::min<std::size_t>(
      options.block_bytes, max_batch_positions(o.occurrences.value_or(expected_occurrences(patterns))));
  options.paths = o.inputs;
  options.threads = worker_threads(o);
  options.warn = warner(o);
  options.windows = scope.windows;
  options.records = scope.reads;
  options.alignments = o.alignments.reading;
  return Reader(std::move(options));
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
std::optional<TextSample> sample_for(const MatcherOptions& matching, const Search& search, Reader& reader) {
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
  pipeline.select = select_options(o, search);
  pipeline.threads = run.threads();
  pipeline.batch_positions = o.batch_positions;
  pipeline.occurrences = o.occurrences;
  if (search.scope.reads) pipeline.first_record = search.scope.reads->begin;
  pipeline.regions = search.scope.regions ? &*search.scope.regions : nullptr;
  pipeline.circular = o.circular;
  pipeline.circular_known = search.scope.circular_known;
  pipeline.warn = run.warn();
  return pipeline;
}

// Throws UsageError if the name of a file for records says that it holds another format than the input.
void check_reads_file(const std::string& path, Format format) {
  constexpr std::array<std::string_view, 7> kFasta{"fa", "fasta", "fna", "fas", "ffn", "frn", "mfa"};
  constexpr std::array<std::string_view, 2> kFastq{"fq", "fastq"};
  constexpr std::array<std::string_view, 8> kOther{"sam", "bam", "cram", "bed", "tsv", "gff", "gff3", "json"};
  std::string name = std::filesystem::path(path).filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const std::size_t dot = name.find_last_of('.');
  const std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
  const auto in = [&ending](const auto& words) { return std::find(words.begin(), words.end(), ending) != words.end(); };
  const bool fastq = format == Format::fastq;
  if (in(kOther) || (fastq ? in(kFasta) : in(kFastq))) {
    throw UsageError(fmt::format("{}: records are written as they are, which is {}; name the file .{}", path,
                                 fastq ? "FASTQ" : "FASTA", fastq ? "fq" : "fa"));
  }
}

void check_reads_files(const SearchJobOptions& o, Reader& reader) {
  if (!o.writes_reads()) return;
  const std::optional<Format> format = reader.format();
  if (!format) return;
  if (format == Format::twobit)
    throw UsageError(
        "--matching-reads and --other-reads write records as they are, which .2bit cannot be: convert it to FASTA");
  for (const std::string& path : {o.matching_reads, o.other_reads}) check_reads_file(path, *format);
}

}  // namespace

int run_search(const SearchJobOptions& o, const Search& search, Run& run, Reader& reader) {
  reader.open_first();
  if (o.regions.any()) refuse_regions(reader.sources());
  check_unit(search.scope, reader);
  check_reads_files(o, reader);
  if (o.circular.any() && search.formatter.needs_records() && reader.format() == Format::fastq) {
    throw UsageError(
        "GFF3 lists every circular record in its header, so with --circular it is only for hits on FASTA; "
        "this is FASTQ: choose --format tsv or bed");
  }
  const bool hits_as_counts = search.part && counts_need_hits(o, search.scope, search.report);
  if (hits_as_counts && o.per_file) {
    throw UsageError(
        "--per-file and --chunk conflict when --report best, best-per-record or --non-overlapping choose among all "
        "hits");
  }
  run.say_compression(reader.sources());

  // All files are opened before any text is read: the first block may be long in coming.
  OutputFile output(o.output, run.threads(), o.count ? OutputCompression::by_name : search.compression);
  run.open_report();
  std::optional<OutputFile> matching_reads;
  std::optional<OutputFile> other_reads;
  if (!o.matching_reads.empty()) matching_reads.emplace(o.matching_reads, run.threads());
  if (!o.other_reads.empty()) other_reads.emplace(o.other_reads, run.threads());

  MatcherOptions matching = matcher_options(o, run, search, reader.expected_bases());
  matching.log = run.choose();
  const std::optional<TextSample> sample = sample_for(matching, search, reader);
  matching.text = sample ? &*sample : nullptr;
  const std::unique_ptr<Matcher> matcher =
      search.make_matcher ? search.make_matcher(matching) : make_matcher(search.patterns, matching);
  run.say()(fmt::format("matching {} patterns with {}, {} threads", search.patterns.patterns().size(),
                        matcher->describe(), run.threads()));
  if (search.part && search.end == EndForm::line) output.write("#" + print_part(*search.part) + "\n");
  const bool print_hits = !o.count || hits_as_counts;
  if (o.count && print_hits) {
    const FineCounts none{false, o.by_edits, search.patterns.max_edits() + 1};
    const std::vector<std::uint64_t> zeros(search.patterns.queries().size());
    output.write(count_table(search.patterns, zeros, none, {}, search.names, table_form(o)));
  }
  PipelineOutput to;
  if (print_hits) {
    to.formatter = &search.formatter;
    to.sink = &output;
    to.records = search.scope.records;
    if (!o.count) to.names = search.formatter.names();
  }
  std::unique_ptr<HitCollector> collector;
  if (search.collect) {
    collector = search.collect(output);
    to.sink = collector.get();
    to.see_record = [&collector](std::int64_t reference, const std::string& name, std::uint32_t source) {
      collector->see_record(reference, name, source);
    };
    to.pass = [&collector](std::int64_t reference) { collector->pass(reference); };
  }
  to.spool_directory = spool_directory(o.output);
  if (matching_reads) to.matching_records = &*matching_reads;
  if (other_reads) to.other_records = &*other_reads;
  PipelineOptions pipeline = pipeline_options(o, run, search);
  pipeline.expected_bases = search.scope.bases ? search.scope.bases : reader.expected_bases();
  pipeline.progress = &run.start_progress(reader);
  RunSummary summary = run_pipeline(pipeline, reader, search.patterns, *matcher, to);
  run.stop_progress();
  if (collector) {
    if (const auto chosen = collector->finish()) {
      summary.counts = chosen->counts;
      summary.hits = chosen->hits;
      summary.truncated = chosen->truncated;
    }
  }
  run.say_batches(matcher->batches());
  if (!print_hits) {
    output.write(count_table(search.patterns, summary.counts, summary.fine, input_names(o.inputs), search.names, table_form(o)));
  }
  const bool rows = collector && collector->rows() != 0;
  if (search.part) output.write(PartEnd(search.end).print(rows ? collector->rows() : summary.hits));

  RunReport report;
  report.parameters = search.parameters;
  if (!o.columns.name.empty()) report.parameters.emplace_back("name_column", o.columns.name);
  if (!o.columns.sequence.empty()) report.parameters.emplace_back("pattern_column", o.columns.sequence);
  report.matcher = matcher->describe();
  report.batches = matcher->batches();
  report.part = search.part;
  run.commit(
      std::move(report),
      {{"--output", o.output}, {"--matching-reads", o.matching_reads}, {"--other-reads", o.other_reads}},
      [&](const RunReport& all) {
        return search.print_report ? search.print_report(all, summary) : json_report(all, search.patterns, summary);
      },
      [&] {
        output.finish();  // all files are on the disk before any gets its name
        for (auto* reads : {&matching_reads, &other_reads}) {
          if (*reads) (*reads)->finish();
        }
        output.commit();
        for (auto* reads : {&matching_reads, &other_reads}) {
          if (*reads) (*reads)->commit();
        }
      });
  if (summary.truncated) {
    run.warn()(fmt::format("stopped after {} hits (--max-hits); there are more", summary.hits));
  }
  std::int64_t bases = 0;
  for (const SourceCounts& counts : summary.source_counts) bases += counts.bases;
  run.summarize(inputs_read(o.inputs.size(), static_cast<std::uint64_t>(bases)), counted(summary.hits, "hit"),
                summary.hits == 0 && !search.part);
  return 0;
}

}  // namespace basesweep
