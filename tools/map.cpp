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
#include "lib/report/findings.hpp"
#include "lib/report/map_plots.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/alignment_rows.hpp"
#include "lib/writer/read_group.hpp"
#include "tools/commands.hpp"
#include "tools/job.hpp"
#include "tools/map_options.hpp"
#include "tools/map_parts.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

RunParameters parameters_in(const MapArguments& o, OutputFormat format) {
  RunParameters all = parameters_of(map_options(), o);
  all.emplace_back("output", word_of(format));
  return all;
}

ReadFormatOptions format_options(const MapArguments& o, OutputFormat format, std::string kept_read_groups) {
  return {.binary = format != OutputFormat::sam,
          .distinguish = o.sam.distinguish,
          .hits_only = o.hits_only,
          .paired = o.paired(),
          .min_insert = o.insert.min,
          .max_insert = o.insert.max,
          .program = !o.sam.no_program,
          .command_line = program_of("map", map_options(), o),
          .read_group = o.sam.read_group,
          .kept_read_groups = std::move(kept_read_groups)};
}

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

std::string words_of(const MapSummary& summary) {
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
  return ReadSource({.paths = mates ? o.first_mates : o.inputs,
                     .mate_paths = o.second_mates,
                     .interleaved = o.interleaved,
                     .threads = worker_threads(o),
                     .records = chunk ? std::optional(chunk->plan.range_of(chunk->number)) : std::nullopt,
                     .alignments = o.alignments.reading,
                     .warn = warner(o)});
}

// With `--report all` every place around an end is a hit, up to 2k + 1 of them, so fewer ends are kept in memory.
std::size_t max_ends(const MapArguments& o) {
  const std::size_t edits = o.edits.edits ? std::min(*o.edits.edits, kMaxReadLength)
                                          : static_cast<std::size_t>(*o.edits.rate * kMaxReadLength);
  return o.report == Report::all ? FinderOptions().max_ends / (2 * edits + 1) : FinderOptions().max_ends;
}

// The first read, as an example of all; nothing where the input must be read only once, or cannot be read.
std::optional<ReadQuery> first_read(const MapArguments& o) {
  const std::string path = o.first_mates.empty() ? o.inputs.empty() ? "-" : o.inputs.front() : o.first_mates.front();
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
  try {
    constexpr std::size_t kBlockBytes = 1U << 14;
    Reader reader({.paths = {path}, .block_bytes = kBlockBytes, .whole_records = true});
    const RawBlock* const block = reader.first_block();
    if (block == nullptr || block->records.empty()) return std::nullopt;
    const RecordText& record = block->records.front();
    const std::size_t length = record.sequence_end - record.sequence_begin;
    const std::uint64_t edits = o.edits.edits ? *o.edits.edits : edits_at_rate(*o.edits.rate, length);
    if (edits >= length || length > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
    return ReadQuery{0, static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(edits)};
  } catch (const Error&) {
    return std::nullopt;  // who reads all of it will say what is wrong
  }
}

FinderOptions finder_options(const MapArguments& o, const Run& run, std::optional<std::int64_t> expected_bases) {
  FinderOptions finding{searcher_options(o, run, expected_bases)};
  finding.algorithm = o.algorithm;
  finding.candidates = o.candidates;
  if (finding.device == Device::automatic && expected_bases) finding.usual_read = first_read(o);
  finding.max_ends = max_ends(o);
  return finding;
}

// The format of the output; of a chunk only what the parameters in its report say. Throws UsageError for a name that
// does not fit, and for options that the format rules out.
OutputFormat output_format(const MapArguments& o) {
  const bool is_chunk = o.is_chunk();
  if (is_chunk) check_part_name(o.output);
  const OutputFormat format =
      (is_chunk ? o.format : choose_format(o, read_alignment_formats())).value_or(OutputFormat::sam);
  if (format == OutputFormat::cram && o.sam.distinguish) throw UsageError("--eqx: CRAM cannot tell = from X");
  return format;
}

// `binary`: tags of reads are kept as BAM has them.
MapOptions pipeline_options(const MapArguments& o, bool binary, const Run& run) {
  MapOptions mapping;
  mapping.reads = {.edits = o.edits.edits,
                   .rate = o.edits.rate,
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

std::unique_ptr<Finder> choose_finder(const MapArguments& o, const Run& run, const Reference& reference,
                                      ReadSource& reads) {
  std::unique_ptr<Finder> finder = make_finder(*reference.text, finder_options(o, run, reads.expected_bases()));
  run.say()(fmt::format("finding reads with {}, {} threads; ready after {:.3f} s", finder->describe(), run.threads(),
                        run.seconds()));
  reads.hold(o.batch_bytes != 0 ? o.batch_bytes : finder->batch_bytes());
  return finder;
}

class MapJob final : public Job {
 public:
  explicit MapJob(MapArguments options) : o_(std::move(options)) {}

  const char* command() const override { return "map"; }
  JobOptions& options() override { return o_; }
  const JobOptions& options() const override { return o_; }
  int show_columns() override { return 0; }

  void settle(const PartSet* parts) override {
    if (parts != nullptr) {
      query_ = query_of(*parts);
      o_.interleaved = query_.paired;
      // The text of the reference is read only for CRAM, which may have another one with the same records.
      if (!o_.alignments.cram_reference.empty()) o_.reference = o_.alignments.cram_reference;
      const std::string of_chunks = parameter(parts->head().label, "report");
      if (of_chunks != word_of(o_.report)) {
        throw UsageError(
            fmt::format("--report {}: the chunks looked for {}: run them with it", word_of(o_.report), of_chunks));
      }
    }
    check_map_options(o_);
    format_ = output_format(o_);
  }

  void find_queries(const PartSet* parts, Run& run) override {
    if (parts != nullptr) return;
    chunk_ = find_chunk(o_.chunk, o_.first_mates.empty() ? o_.inputs : o_.first_mates, RegionOptions(), true,
                        run.threads(), o_.alignments.reading, run.warn());
    reads_.reset(new ReadSource(open_reads(o_, chunk_)));
    o_.interleaved = reads_->interleaved();
    query_.paired = o_.paired();
    query_.read_groups = o_.keeps("RG") ? reads_->read_groups() : "";
  }

  void open_text(const PartSet* parts, Run& run) override {
    if (parts == nullptr) {
      regions_ = read_regions(o_.regions);
      query_.reference = open_reference(o_, regions_);
      warn_of_regions(query_.reference.warnings, run.warn());
      run.say_compression({query_.reference.source});
      run.say_compression(reads_->sources());
      run.say()(
          fmt::format("reference: {} records, read after {:.3f} s", query_.reference.records.size(), run.seconds()));
      finder_ = choose_finder(o_, run, query_.reference, *reads_);
    }
    ReadFormatOptions form = format_options(o_, format_, query_.read_groups);
    if (chunk_) {
      form.rows = &part_rows_;
      form.distinguish = true;
    }
    formatter_.emplace(query_.reference, std::move(form));
  }

  RunParameters parameters() const override { return parameters_in(o_, format_); }

  std::optional<PartHead> part() const override {
    if (!chunk_) return std::nullopt;
    return part_of(o_, *chunk_, query_.reference, regions_, parameters(), query_.read_groups);
  }

  void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) override {
    if (part) {
      output_ = &outputs.add_part(o_.output, *part).rows();
      return;
    }
    output_ =
        &outputs.add("--output", o_.output, {format_, std::nullopt, format_ == OutputFormat::cram ? o_.reference : ""});
  }

  void search(Run& run) override {
    if (!chunk_) output_->write(formatter_->header());
    MapOptions mapping = pipeline_options(o_, !chunk_ && format_ != OutputFormat::sam, run);
    mapping.progress = &run.start_progress(*reads_);
    if (o_.reports() || chunk_) tally_ = std::make_unique<ReadTally>(query_.reference);
    mapping.tally = tally_.get();
    found_ = run_map(mapping, *reads_, query_.reference, *finder_, *formatter_,
                     [this](std::string_view records) { output_->write(records); });
    found_.sources = reads_->sources();
    if (tally_) plots_ = tally_->reads();
    keep(*finder_);
  }

  void merge(PartSet& parts, const Run& run) override {
    output_->write(formatter_->header());
    const AlignmentFormatter formatter(query_.reference.records,
                                       {.binary = format_ != OutputFormat::sam,
                                        .distinguish = o_.sam.distinguish,
                                        .read_group = parse_read_group(o_.sam.read_group).id});
    run_part_stages<AlignmentRow>(
        parts, [&formatter](const AlignmentRow& row) { return formatter.can_be(row); },
        {.formatter = &formatter, .write = [this](std::string_view records) { output_->write(records); }},
        run.threads());
    plots_.emplace();
    found_ = totals_of(parts, query_.reference.records.size(), *plots_);
  }

  MapSummary& summary() override { return found_; }
  void add_findings(nlohmann::ordered_json& report) const override {
    add_reads(query_.reference, found_, report);
    if (plots_) add_map_plots(*plots_, query_.reference, report);
  }
  std::string totals() const override { return print_totals(found_, *plots_); }
  std::size_t inputs_read() override { return found_.sources.size(); }
  std::uint64_t bases_read() override { return found_.bases; }
  std::string found() override { return words_of(found_); }
  bool found_nothing() override { return found_.mapped == 0; }
  void warn_at_end(const Run& run, bool merged) override {
    if (merged) return;
    warn_of(found_, o_);
    warn_of_letters(query_.reference, found_.sources, found_, run.warn());
  }

 private:
  MapArguments o_;
  OutputFormat format_ = OutputFormat::sam;
  std::optional<Chunk> chunk_;
  std::optional<RegionSet> regions_;  // of the reference
  MapQuery query_;
  std::unique_ptr<ReadSource> reads_;
  std::unique_ptr<Finder> finder_;
  const PartRows<AlignmentRow> part_rows_{0};
  std::optional<ReadFormatter> formatter_;
  ByteSink* output_ = nullptr;
  MapSummary found_;
  std::unique_ptr<ReadTally> tally_;  // null: nothing is counted for plots
  std::optional<MappedReads> plots_;
};

}  // namespace

Work add_map_command(CLI::App& app) {
  auto options = std::make_shared<MapArguments>();
  CLI::App& command = add_command(app, "map", "Place reads with edits on a reference; write SAM, BAM or CRAM",
                                  kSearchCommands, map_help());
  add_map_options(command, *options);
  return [options](PartSet* parts) {
    MapJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
