// basesweep map: maps reads with edits, writes SAM, BAM or CRAM.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/pipeline/part_stages.hpp"
#include "lib/reader/md5.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/writer/alignment_rows.hpp"
#include "lib/writer/cram_file.hpp"
#include "lib/writer/read_group.hpp"
#include "tools/commands.hpp"
#include "tools/map_options.hpp"
#include "tools/map_parts.hpp"
#include "tools/part_output.hpp"
#include "tools/print.hpp"
#include "tools/run.hpp"

namespace basesweep {
namespace {

// The command line of @PG: the options that affect the result, without those at their default.
std::string canonical_command(const MapArguments& o, const Insert& insert) {
  std::string line = "basesweep map";
  const auto add = [&line](const char* option, const auto& value) { line += fmt::format(" {} {}", option, value); };
  if (o.edits) add("-k", *o.edits);
  if (o.rate) add("-e", *o.rate);
  if (o.report != Report::best) add("--report", word_of(o.report));
  if (o.max_secondary) add("-N", *o.max_secondary);
  if (o.strand != StrandChoice::both) add("--strand", word_of(o.strand));
  if (o.paired()) add("--insert", fmt::format("{},{}", insert.min, insert.max));
  if (o.hits_only) line += " --hits-only";
  if (o.sam.distinguish) line += " --eqx";
  if (!o.keep_tags.empty()) add("--keep-tags", o.keep_tags);
  return line;
}

RunParameters parameters(const MapArguments& o, const Insert& insert, const char* format) {
  return {{"edits", o.edits ? ParameterValue(std::int64_t{*o.edits}) : ParameterValue()},
          {"error_rate", o.rate ? ParameterValue(*o.rate) : ParameterValue()},
          {"report", word_of(o.report)},
          {"most_secondary", o.max_secondary ? ParameterValue(*o.max_secondary) : ParameterValue()},
          {"strand", word_of(o.strand)},
          {"paired", o.paired() ? "yes" : "no"},
          {"least_insert", insert.min},
          {"most_insert", insert.max},
          {"hits_only", o.hits_only ? "yes" : "no"},
          {"output", format}};
}

ReadFormatOptions format_options(const MapArguments& o, const Insert& insert, OutputFormat format,
                                 std::string kept_read_groups) {
  return {.binary = format != OutputFormat::sam,
          .distinguish = o.sam.distinguish,
          .hits_only = o.hits_only,
          .paired = o.paired(),
          .min_insert = insert.min,
          .max_insert = insert.max,
          .program = !o.sam.no_program,
          .command_line = canonical_command(o, insert),
          .read_group = o.sam.read_group,
          .kept_read_groups = std::move(kept_read_groups)};
}

// The output file: SAM or BAM, CRAM, or a part.
class MapOutput {
 public:
  // Writes the header of the formatter.
  MapOutput(const MapArguments& o, OutputFormat format, const ReadFormatter& formatter) {
    const int threads = worker_threads(o);
    if (format == OutputFormat::cram) {
      cram_.emplace(o.output, threads, o.reference);
      cram_->write_header(formatter.header_text());
    } else {
      file_.emplace(o.output, threads,
                    format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name);
      file_->write(formatter.header());
    }
  }
  MapOutput(const MapArguments& o, const PartHead& part) {
    file_.emplace(o.output, worker_threads(o), OutputCompression::binary);
    part_.emplace(*file_, part);
  }

  void write(std::string_view records) {
    if (cram_) return cram_->write(records);
    part_ ? part_->rows().write(records) : file_->write(records);
  }
  // `report`: of this run.
  void finish_part(const std::string& report, const MapSummary& summary) {
    if (part_) part_->finish({.report = report}, print_totals(summary));
  }
  void commit() { cram_ ? cram_->commit() : file_->commit(); }

 private:
  std::optional<OutputFile> file_;
  std::optional<CramFile> cram_;
  std::optional<PartOutput> part_;
};

// Warns of text that is not nucleotide sequence.
void warn_of_letters(const Reference& reference, const std::vector<SourceInfo>& reads, const MapSummary& summary,
                     const std::function<void(const std::string&)>& warn) {
  const LetterCounts of_reads{static_cast<std::int64_t>(summary.bases),
                              static_cast<std::int64_t>(summary.bases - summary.other_letters)};
  const std::string named = reads.size() == 1 ? reads.front().path : "the reads";
  for (const auto& warning : {warning_of(reference.letters, reference.source.path), warning_of(of_reads, named)}) {
    if (warning) warn(*warning);
  }
}

// Warns of reads that were not searched, and of alignments that were not printed.
void warn_of(const MapSummary& summary, const MapArguments& o) {
  const auto warn = warner(o);
  const auto unmapped = [&warn](std::uint64_t count, const std::string& why) {
    if (count != 0)
      warn(fmt::format("{} left unmapped: {}", count == 1 ? "1 read is" : fmt::format("{} reads are", count), why));
  };
  unmapped(summary.too_long, fmt::format("longer than {} bases", kMaxReadLength));
  unmapped(summary.too_short, "not longer than their number of edits");
  unmapped(summary.no_bases, "without A, C, G or T");
  if (summary.unprinted_hits != 0) {
    warn(fmt::format("{} of {} not printed (-N {})", counted(summary.unprinted_hits, "secondary alignment"),
                     counted(summary.unprinted_reads, "read"), *o.max_secondary));
  }
}

// The number of records that were written.
std::uint64_t printed_records(const MapSummary& summary, const MapArguments& o) {
  return summary.hits - summary.unprinted_hits + (o.hits_only ? 0 : summary.reads - summary.mapped);
}

std::string found(const MapSummary& summary) {
  if (summary.reads == 0) return "no reads";
  const std::string reads = counted(summary.reads, "read");
  if (summary.mapped != 0) return fmt::format("{} of {} mapped", grouped(summary.mapped), reads);
  return fmt::format("none of {} mapped (reads are aligned from end to end; -k or -e allows more edits)", reads);
}

// Reads the reference, or only what is near the regions if there are any.
Reference open_reference(const MapArguments& o, const std::optional<RegionSet>& regions) {
  ReferenceOptions options{o.reference, worker_threads(o), o.md5};
  if (!regions) return load_reference(options);
  options.regions = &*regions;
  const auto indices = find_indices({o.reference}, o.regions);
  if (indices && !o.md5) {
    options.records = records_of(*indices);
    check_regions(*regions, *options.records, input_name(o.reference));
    std::vector<FastaWindows> windows = windows_in({o.reference}, *indices, *regions, kReferenceHalo, kReferenceHalo);
    if (windows.empty()) options.records.reset();
    if (options.records) options.windows = std::move(windows.front());
  }
  if (!options.records) advise_index({o.reference}, warner(o));
  return load_reference(options);
}

ReadSource open_reads(const MapArguments& o, const std::optional<Chunk>& chunk) {
  const bool mates = !o.first_mates.empty();
  return ReadSource({.paths = mates ? o.first_mates : o.reads,
                     .mate_paths = o.second_mates,
                     .interleaved = o.interleaved,
                     .threads = worker_threads(o),
                     .records = chunk ? std::optional(chunk->plan.range_of(chunk->number)) : std::nullopt,
                     .alignments = o.alignments.reading,
                     .warn = warner(o)});
}

// With `--report all` every place around an end is a hit, up to 2k + 1 of them, so fewer ends are kept in memory.
std::size_t max_ends(const MapArguments& o) {
  const std::size_t edits =
      o.edits ? std::min(*o.edits, kMaxReadLength) : static_cast<std::size_t>(*o.rate * kMaxReadLength);
  return o.report == Report::all ? FinderOptions().max_ends / (2 * edits + 1) : FinderOptions().max_ends;
}

// The first read, as an example of all; nothing where the input must be read only once, or cannot be read.
std::optional<ReadQuery> first_read(const MapArguments& o) {
  const std::string path = o.first_mates.empty() ? o.reads.empty() ? "-" : o.reads.front() : o.first_mates.front();
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
  try {
    constexpr std::size_t kBlockBytes = 1U << 14;
    Reader reader({.paths = {path}, .block_bytes = kBlockBytes, .whole_records = true});
    const RawBlock* const block = reader.first_block();
    if (block == nullptr || block->records.empty()) return std::nullopt;
    const RecordText& record = block->records.front();
    const std::size_t length = record.sequence_end - record.sequence_begin;
    const std::uint64_t edits = o.edits ? *o.edits : edits_at_rate(*o.rate, length);
    if (edits >= length || length > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
    return ReadQuery{0, static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(edits)};
  } catch (const Error&) {
    return std::nullopt;  // who reads all of it will say what is wrong
  }
}

FinderOptions finder_options(const MapArguments& o, const Run& run, std::optional<std::int64_t> expected_bases) {
  DeviceChoice device = device_of(o.device);
  FinderOptions finding;
  finding.algorithm = o.algorithm;
  finding.candidates = o.candidates;
  finding.device = device.device;
  finding.gpus = std::move(device.gpus);
  finding.expected_bases = expected_bases;
  if (device.device == Device::automatic && expected_bases) finding.usual_read = first_read(o);
  finding.threads = worker_threads(o);
  finding.max_ends = max_ends(o);
  finding.log = run.choose();
  return finding;
}

// The format of the output; of a chunk only what the parameters in its report say. Throws UsageError for a name that
// does not fit, and for options that the format rules out.
OutputFormat output_format(const MapArguments& o) {
  const bool is_chunk = !o.chunk.chunk.empty();
  if (is_chunk) check_part_name(o.output);
  const OutputFormat format = (is_chunk ? o.format : choose_format(o, kMapFormats)).value_or(OutputFormat::sam);
  if (format == OutputFormat::cram && o.sam.distinguish) throw UsageError("--eqx: CRAM cannot tell = from X");
  return format;
}

// `binary`: tags of reads are kept as BAM has them.
MapOptions pipeline_options(const MapArguments& o, bool binary, const Run& run) {
  MapOptions mapping;
  mapping.reads = {.edits = o.edits,
                   .rate = o.rate,
                   .strands = o.strand,
                   .paired = o.paired(),
                   .tags = o.alignments.reading.tags,
                   .binary_tags = binary};
  mapping.report = o.report;
  mapping.max_secondary = o.max_secondary;
  mapping.threads = run.threads();
  mapping.log = run.say();
  return mapping;
}

// Maps the reads, and hands their records to the output.
MapSummary map_reads(const MapArguments& o, bool binary_tags, Run& run, ReadSource& reads, const Reference& reference,
                     Finder& finder, const ReadFormatter& formatter, MapOutput& output) {
  MapOptions mapping = pipeline_options(o, binary_tags, run);
  mapping.progress = &run.start_progress(reads);
  const MapSummary summary = run_map(mapping, reads, reference, finder, formatter,
                                     [&output](std::string_view records) { output.write(records); });
  run.stop_progress();
  return summary;
}

std::unique_ptr<Finder> choose_finder(const MapArguments& o, const Run& run, const Reference& reference,
                                      ReadSource& reads) {
  std::unique_ptr<Finder> finder = make_finder(*reference.text, finder_options(o, run, reads.expected_bases()));
  run.say()(fmt::format("finding reads with {}, {} threads; ready after {:.3f} s", finder->describe(), run.threads(),
                        run.seconds()));
  reads.hold(o.batch_bytes != 0 ? o.batch_bytes : finder->batch_bytes());
  return finder;
}

// Writes the report and gives all files their names.
void commit(const MapArguments& o, Run& run, RunReport report, const MapSummary& summary, MapOutput& output,
            const std::function<std::string(const RunReport&)>& print) {
  run.commit(std::move(report), {{"--output", o.output}}, print, [&](const RunReport& all) {
    output.finish_part(print(all), summary);
    output.commit();
  });
}

// A whole run, or a chunk.
void map_text(MapArguments& o, Run& run) {
  prepare(o.alignments);
  const Insert insert = parse_insert(o.insert);
  const OutputFormat format = output_format(o);
  const std::optional<Chunk> chunk = find_chunk(o.chunk, o.first_mates.empty() ? o.reads : o.first_mates,
                                                RegionOptions(), true, run.threads(), o.alignments.reading, run.warn());
  ReadSource reads = open_reads(o, chunk);
  o.interleaved = reads.interleaved();
  const std::string read_groups = o.keeps("RG") ? reads.read_groups() : "";
  const std::optional<RegionSet> regions = read_regions(o.regions);
  const Reference reference = open_reference(o, regions);
  RunReport report;
  report.parameters = parameters(o, insert, word_of(format));
  std::optional<PartHead> part;
  if (chunk) part = part_of(o, *chunk, reference, regions, report.parameters, read_groups);
  if (part) report.part = part->label;
  warn_of_regions(reference.warnings, run.warn());
  run.say_compression({reference.source});
  run.say_compression(reads.sources());
  run.say()(fmt::format("reference: {} records, read after {:.3f} s", reference.records.size(), run.seconds()));
  const std::unique_ptr<Finder> finder = choose_finder(o, run, reference, reads);
  ReadFormatOptions form = format_options(o, insert, format, read_groups);
  const PartRows<AlignmentRow> rows(0);
  if (part) {
    form.rows = &rows;
    form.distinguish = true;
  }
  const ReadFormatter formatter(reference, std::move(form));
  run.open_report();
  MapOutput output = part ? MapOutput(o, *part) : MapOutput(o, format, formatter);
  const bool binary_tags = !part && format != OutputFormat::sam;
  const MapSummary summary = map_reads(o, binary_tags, run, reads, reference, *finder, formatter, output);
  report.matcher = finder->describe();
  report.batches = finder->batches();
  run.say_batches(report.batches);
  commit(o, run, std::move(report), summary, output,
         [&](const RunReport& all) { return json_report(all, reference, reads.sources(), summary); });
  warn_of(summary, o);
  warn_of_letters(reference, reads.sources(), summary, run.warn());
  run.summarize(inputs_read(reads.sources().size(), summary.bases), found(summary), summary.mapped == 0 && !chunk);
}

// Finishes the run that has these parts.
void merge_parts(MapArguments& o, Run& run, PartSet& parts, const MapQuery& query) {
  const Insert insert = parse_insert(o.insert);
  const OutputFormat format = output_format(o);
  if (const std::string of_chunks = parameter(parts.head().label, "report"); of_chunks != word_of(o.report)) {
    throw UsageError(
        fmt::format("--report {}: the chunks looked for {}: run them with it", word_of(o.report), of_chunks));
  }
  RunReport report;
  report.parameters = parameters(o, insert, word_of(format));
  const ReadFormatter header(query.reference, format_options(o, insert, format, query.read_groups));
  const AlignmentFormatter formatter(query.reference.records, {.binary = format != OutputFormat::sam,
                                                               .distinguish = o.sam.distinguish,
                                                               .read_group = parse_read_group(o.sam.read_group).id});
  run.open_report();
  MapOutput output(o, format, header);
  run_part_stages<AlignmentRow>(
      parts, [&formatter](const AlignmentRow& row) { return formatter.can_be(row); },
      {.formatter = &formatter, .write = [&output](std::string_view records) { output.write(records); }},
      run.threads());
  const Summaries summaries(parts);
  const MapSummary summary = totals_of(parts);
  std::vector<SourceInfo> sources;
  for (const std::string& input : input_names(parts.head().inputs)) {
    sources.push_back({input, Compression::none, std::nullopt});
  }
  commit(o, run, std::move(report), summary, output,
         [&](const RunReport& all) { return summaries.report(json_report(all, query.reference, sources, summary)); });
  run.summarize(counted(parts.paths().size(), "part"), found(summary), summary.mapped == 0);
}

int run_map_command(MapArguments o, PartSet* parts) {
  Run run("map", o);
  MapQuery query;
  if (parts != nullptr) {
    query = query_of(*parts);
    o.reads = parts->head().inputs;
    o.interleaved = query.paired;
    // The text of the reference is read only for CRAM, which may have another one with the same records.
    if (!o.alignments.cram_reference.empty()) o.reference = o.alignments.cram_reference;
  }
  check_map_options(o);
  parts != nullptr ? merge_parts(o, run, *parts, query) : map_text(o, run);
  return 0;
}

}  // namespace

Work add_map_command(CLI::App& app) {
  auto options = std::make_shared<MapArguments>();
  CLI::App& command = add_command(app, "map", "Place reads with edits on a reference; write SAM, BAM or CRAM",
                                  kSearchCommands, map_help());
  add_map_options(command, *options);
  return [options](PartSet* parts) { return run_map_command(*options, parts); };
}

}  // namespace basesweep
