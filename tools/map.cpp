// basesweep map: reads with edits to SAM, BAM or CRAM.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>

#include "lib/error.hpp"
#include "lib/fields.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/report/report.hpp"
#include "lib/writer/cram_file.hpp"
#include "lib/writer/md5.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/run_options.hpp"
#include "tools/scope.hpp"

namespace basesweep {
namespace {

enum class MapFormat { automatic, sam, bam, cram };

constexpr std::array<std::pair<const char*, MapFormat>, 3> kFormats{
    {{"sam", MapFormat::sam}, {"bam", MapFormat::bam}, {"cram", MapFormat::cram}}};

struct Insert {
  std::int64_t least = 0;
  std::int64_t most = 1000;
};

struct MapOptionsGiven : RunOptions {
  std::string reference;
  std::vector<std::string> reads;
  std::vector<std::string> first_mates;
  std::vector<std::string> second_mates;
  bool interleaved = false;
  std::optional<std::uint32_t> edits;
  std::optional<double> rate;
  Report report = Report::best;
  std::optional<std::uint64_t> most_secondary;
  StrandChoice strand = StrandChoice::both;
  MapFormat format = MapFormat::automatic;
  bool hits_only = false;
  std::string insert = "0,1000";
  bool md5 = false;
  SamChoices sam;
  Candidates candidates = Candidates::automatic;
  std::size_t batch_bytes = 0;
  RegionOptions regions;  // of the reference
  ChunkOptions chunk;     // of the reads
};

std::vector<Term> environment() {
  std::vector<Term> all = search_environment();
  all.push_back({"TMPDIR", "Where CRAM keeps what it needs of the reference while it is written (default: /tmp)."});
  return all;
}

Help map_help() {
  return {
      .synopsis = {"[OPTIONS] -r REFERENCE {-k N | -e RATE} [READS...]",
                   "[OPTIONS] -r REFERENCE {-k N | -e RATE} -1 FILE -2 FILE"},
      .sections =
          {{"Hits",
            {"A read is aligned whole (no clipping) at every place where it can be turned into the reference by at "
             "most k "
             "edits: mismatches, inserted and deleted bases. No place of a read of up to 2,048 bases is missed; longer "
             "ones, "
             "those not longer than their k, and those without A, C, G, T stay unmapped. N and other IUPAC codes match "
             "nothing, in read or reference. --report says which of these places are printed."},
            {{"best", "Those with the lowest edits of the read."},
             {"sites",
              "Of all places with the same start the one with least edits (then indels, then length), if it is that "
              "for its end too."},
             {"all", "Every place."}}},
           {"Output format",
            {"All reads in their order, unmapped ones too. The first of a read's places by edits, then by place on the "
             "reference, is primary, the others are secondary (FLAG 256). Tags: NM, MD, AS (less the edits), NH "
             "(places there "
             "are), XE (edits), RG."},
            {{"MAPQ 0", "of the primary: another site has as few edits; of secondary ones always"},
             {"MAPQ 60", "no other site is within k"},
             {"else", "20 for each edit between it and the next best that does not overlap it, at most 60"}}},
           {"CRAM", {"It needs a reference that is plain or BGZF; that is read again, and never fetched."}}},
      .examples = {{"Reads with up to 8 edits, each at all its best places",
                    {"basesweep map -r reference.fa -k 8 reads.fastq.gz -o reads.bam"}},
                   {"Pairs of amplicon reads with one edit in twenty bases",
                    {"basesweep map -r amplicons.fa -e 0.05 -1 reads_1.fq.gz -2 reads_2.fq.gz \\",
                     "    --insert 100,600 -o pairs.bam"}},
                   {"Barcodes: all sites, mapped reads alone",
                    {"basesweep map -r barcodes.fa -k 3 --report sites --hits-only reads.fq.gz \\",
                     "    > barcodes.sam"}},
                   {"From a pipe, at most ten secondary alignments a read",
                    {"zcat reads.fq.gz | basesweep map -r genome.fa -k 4 -N 10 -o reads.bam"}}},
      .files = index_files(),
      .environment = environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"motif", "match", "plan", "merge"}};
}

void add_input_options(CLI::App& command, MapOptionsGiven& o) {
  const auto add_files = [&command](const std::string& name, std::vector<std::string>& files, const std::string& help) {
    command.add_option(name, files, help)->type_name("FILE")->allow_extra_args(false);
  };
  begin_group(command, group::kInput);
  command.add_option("reads", o.reads, "FASTQ or FASTA, plain, gzip or BGZF; - or none: stdin")->type_name("FILE");
  command.add_option("-r,--reference", o.reference, "FASTA, plain, gzip or BGZF")
      ->required()
      ->check(refuse_empty)
      ->type_name("FILE");
  add_files("-1,--reads1", o.first_mates, "The first reads of pairs; may be repeated");
  add_files("-2,--reads2", o.second_mates, "The second reads, in the same order");
  command.add_flag("--interleaved", o.interleaved, "Two reads after each other are a pair");
}

void add_map_options(CLI::App& command, MapOptionsGiven& o) {
  begin_group(command, group::kHits);
  add_edit_options(command, "read", o.edits, o.rate);
  add_choice<Report>(command, "--report", o.report,
                     {{"best", Report::best}, {"sites", Report::sites}, {"all", Report::all}},
                     "Which places are printed (default: best)");
  add_strand_option(command, o.strand, "Strands of the reference (default: both)");
  command.add_option("--insert", o.insert, "Length of the template of a proper pair (default: 0,1000)")
      ->type_name("MIN,MAX");
  begin_group(command, group::kOutput);
  add_choice<MapFormat>(command, "--format", o.format, {kFormats.begin(), kFormats.end()},
                        "What to write (default: by the output's name, else sam)");
  command.add_flag("--hits-only", o.hits_only, "Leave out unmapped reads");
  command.add_option("-N,--secondary", o.most_secondary, "Print so many secondary alignments of a read at most")
      ->check([](const std::string& text) { return refuse_number(text, 0); })
      ->type_name("N");
  begin_group(command, group::kSam);
  command.add_flag("--md5", o.md5, "The digest of each reference record (M5) in the header");
  add_sam_options(command, o.sam, "record");
  add_choice<Candidates>(command, "--candidates", o.candidates,
                         {{"auto", Candidates::automatic}, {"index", Candidates::index}, {"sweep", Candidates::sweep}},
                         "For tests");
  command.get_option("--candidates")->group("");
  command.add_option("--batch-bytes", o.batch_bytes, "Text of reads at a time; for tests")
      ->check(CLI::Range(1U, 1U << 30))
      ->group("");
}

Insert parse_insert(const std::string& text) {
  Insert insert;
  std::string_view rest = text;
  if (!parse_number(take_to(rest, ','), insert.least) || !parse_number(rest, insert.most) || insert.least < 0 ||
      insert.most < insert.least) {
    throw UsageError(fmt::format("--insert {}: expected two numbers, MIN,MAX", text));
  }
  return insert;
}

// Fills in stdin as the reads.
void check_options(MapOptionsGiven& o) {
  check_edits(o.edits, o.rate);
  const bool mates = !o.first_mates.empty() || !o.second_mates.empty();
  if (o.first_mates.size() != o.second_mates.size()) throw UsageError("give as many files with -2 as with -1");
  for (std::size_t i = 0; i < o.first_mates.size(); ++i) {
    if (same_input(o.first_mates[i], o.second_mates[i])) {
      throw UsageError(fmt::format("{}: given with -1 and with -2", o.first_mates[i]));
    }
  }
  if (mates && !o.reads.empty()) throw UsageError("give reads either with -1 and -2 or without");
  if (mates && o.interleaved) throw UsageError("--interleaved conflicts with -1 and -2");
  if (!mates && o.reads.empty()) {
    check_stdin("map");
    o.reads = {"-"};
  }
  std::vector<std::string> read{o.reference};
  for (const auto* files : {&o.reads, &o.first_mates, &o.second_mates}) {
    read.insert(read.end(), files->begin(), files->end());
  }
  const std::vector<std::string> more = o.regions.files({o.reference});
  read.insert(read.end(), more.begin(), more.end());
  if (!o.chunk.plan.empty()) read.push_back(o.chunk.plan);
  check_run_options(o, read);
}

MapFormat choose_format(const MapOptionsGiven& o) {
  if (o.format != MapFormat::automatic) return o.format;
  std::string name = o.output;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [word, meaning] : kFormats) {
    if (name.ends_with(std::string(".") + word)) return meaning;
    if (meaning != MapFormat::sam && name.ends_with(fmt::format(".{}.gz", word))) {
      throw UsageError(
          fmt::format("{}: {} is compressed by itself; name it .{}, or give --format", o.output, word, word));
    }
  }
  return MapFormat::sam;
}

bool paired(const MapOptionsGiven& o) { return o.interleaved || !o.first_mates.empty(); }

// The options that bear on the result, those left at their default not named.
std::string canonical_command(const MapOptionsGiven& o, const Insert& insert) {
  std::string line = "basesweep map";
  const auto add = [&line](const char* option, const auto& value) { line += fmt::format(" {} {}", option, value); };
  if (o.edits) add("-k", *o.edits);
  if (o.rate) add("-e", *o.rate);
  if (o.report != Report::best) add("--report", word_of(o.report));
  if (o.most_secondary) add("-N", *o.most_secondary);
  if (o.strand != StrandChoice::both) add("--strand", word_of(o.strand));
  if (paired(o)) add("--insert", fmt::format("{},{}", insert.least, insert.most));
  if (o.hits_only) line += " --hits-only";
  if (o.sam.distinguish) line += " --eqx";
  return line;
}

RunParameters parameters(const MapOptionsGiven& o, const Insert& insert, const char* format) {
  return {{"edits", o.edits ? ParameterValue(std::int64_t{*o.edits}) : ParameterValue()},
          {"error_rate", o.rate ? ParameterValue(*o.rate) : ParameterValue()},
          {"report", word_of(o.report)},
          {"most_secondary", o.most_secondary ? ParameterValue(*o.most_secondary) : ParameterValue()},
          {"strand", word_of(o.strand)},
          {"paired", paired(o) ? "yes" : "no"},
          {"least_insert", insert.least},
          {"most_insert", insert.most},
          {"hits_only", o.hits_only ? "yes" : "no"},
          {"output", format}};
}

ReadFormatOptions format_options(const MapOptionsGiven& o, const Insert& insert, MapFormat format,
                                 const std::optional<PartLabel>& part) {
  return {.binary = format != MapFormat::sam,
          .distinguish = o.sam.distinguish,
          .hits_only = o.hits_only,
          .paired = paired(o),
          .least_insert = insert.least,
          .most_insert = insert.most,
          .program = !o.sam.no_program,
          .command_line = canonical_command(o, insert),
          .read_group = o.sam.read_group,
          .comment = part ? print_part(*part) : ""};
}

// Where the records go: a file of their own, or CRAM.
class MapOutput {
 public:
  MapOutput(const MapOptionsGiven& o, MapFormat format, const ReadFormatter& formatter) {
    const int threads = worker_threads(o);
    if (format == MapFormat::cram) {
      cram_.emplace(o.output, threads, o.reference, formatter.header_text());
    } else {
      file_.emplace(o.output, threads, format == MapFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name);
      file_->write(formatter.header());
    }
  }
  void write(std::string_view records) { cram_ ? cram_->write(records) : file_->write(records); }
  void commit() { cram_ ? cram_->commit() : file_->commit(); }

 private:
  std::optional<OutputFile> file_;
  std::optional<CramFile> cram_;
};

// Says what a user might not expect.
void warn_of(const MapSummary& summary, const MapOptionsGiven& o) {
  const auto warn = warner(o);
  const auto unmapped = [&warn](std::uint64_t count, const std::string& why) {
    if (count != 0)
      warn(fmt::format("{} left unmapped: {}", count == 1 ? "1 read is" : fmt::format("{} reads are", count), why));
  };
  unmapped(summary.too_long, fmt::format("longer than {} bases", kMostReadLength));
  unmapped(summary.too_short, "not longer than the edits they may have");
  unmapped(summary.no_bases, "without A, C, G or T");
  if (summary.unprinted_hits != 0) {
    warn(fmt::format("{} secondary alignments of {} reads are left out (-N {})", summary.unprinted_hits,
                     summary.unprinted_reads, *o.most_secondary));
  }
}

// What the output says of itself, if it is one of several.
std::optional<PartLabel> part_label(const std::optional<Chunk>& chunk, const Reference& reference,
                                    const std::optional<RegionSet>& regions, const RunParameters& parameters) {
  if (!chunk) return std::nullopt;
  Md5 md5;
  for (const auto& [name, length] : reference.records) md5.add(fmt::format("{}\t{}\n", name, length));
  if (regions) {
    for (const auto& [name, own] : regions->by_name()) {
      for (const Region& region : own) md5.add(fmt::format("{}\t{}\t{}\n", name, region.begin, region.end));
    }
  } else {
    const PackedView text = reference.text->view();
    for (const std::uint64_t* plane : {text.lo, text.hi}) {
      md5.add({reinterpret_cast<const char*>(plane), (text.columns + 63) / 64 * sizeof *plane});
    }
  }
  RunParameters all = {{"command", "map"}};
  all.insert(all.end(), parameters.begin(), parameters.end());
  all.emplace_back("reference", md5.take());
  return chunk->label(all);
}

// The reference, or what of it is near the regions.
Reference open_reference(const MapOptionsGiven& o, const std::optional<RegionSet>& regions) {
  ReferenceOptions options{o.reference, worker_threads(o), o.md5};
  if (!regions) return load_reference(options);
  options.regions = &*regions;
  const auto indices = find_indices({o.reference}, o.regions);
  if (indices && !o.md5) {
    options.records = records_of(*indices);
    check_regions(*regions, *options.records);
    std::vector<FastaWindows> windows = windows_in({o.reference}, *indices, *regions, kReferenceHalo, kReferenceHalo);
    if (windows.empty()) options.records.reset();
    if (options.records) options.windows = std::move(windows.front());
  }
  if (!options.records) advise_index({o.reference}, warner(o));
  return load_reference(options);
}

ReadSource open_reads(const MapOptionsGiven& o, const std::optional<Chunk>& chunk) {
  const bool mates = !o.first_mates.empty();
  return ReadSource({.paths = mates ? o.first_mates : o.reads,
                     .mate_paths = o.second_mates,
                     .interleaved = o.interleaved,
                     .threads = worker_threads(o),
                     .records = chunk ? std::optional(chunk->plan.range_of(chunk->number)) : std::nullopt,
                     .warn = warner(o)});
}

// All places around an end are hits with `all`: then so many ends fewer are in memory.
std::size_t most_ends(const MapOptionsGiven& o) {
  const std::size_t edits =
      o.edits ? std::min(*o.edits, kMostReadLength) : static_cast<std::size_t>(*o.rate * kMostReadLength);
  return o.report == Report::all ? FinderOptions().most_ends / (2 * edits + 1) : FinderOptions().most_ends;
}

FinderOptions finder_options(const MapOptionsGiven& o, std::optional<std::int64_t> expected_bases) {
  const auto [device, gpu] = parse_device(o.device);
  FinderOptions finding;
  finding.algorithm = o.algorithm;
  finding.candidates = o.candidates;
  finding.device = device;
  finding.gpu = gpu;
  finding.expected_bases = expected_bases;
  finding.threads = worker_threads(o);
  finding.most_ends = most_ends(o);
  finding.log = teller(o);
  return finding;
}

int run_map_command(MapOptionsGiven o) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto say = teller(o);
  check_options(o);
  const Insert insert = parse_insert(o.insert);
  const MapFormat format = choose_format(o);
  if (format == MapFormat::cram && o.sam.distinguish) throw UsageError("--eqx: CRAM does not keep = and X apart");
  if (format == MapFormat::cram && !o.chunk.chunk.empty()) {
    throw UsageError("--chunk: parts are SAM or BAM; make CRAM of the merged file ('samtools view -C')");
  }
  const int threads = worker_threads(o);
  const std::optional<Chunk> chunk =
      find_chunk(o.chunk, o.first_mates.empty() ? o.reads : o.first_mates, RegionOptions(), true, threads, warner(o));
  ReadSource reads = open_reads(o, chunk);
  const std::optional<RegionSet> regions = read_regions(o.regions);
  const Reference reference = open_reference(o, regions);
  const RunParameters all = parameters(o, insert, word_in(kFormats, format));
  RunParameters of_part = all;
  of_part.emplace_back("eqx", o.sam.distinguish ? "yes" : "no");
  const std::optional<PartLabel> part = part_label(chunk, reference, regions, of_part);
  say(fmt::format("reference: {} records, read after {:.3f} s", reference.records.size(), seconds()));
  const std::unique_ptr<Finder> finder = make_finder(*reference.text, finder_options(o, reads.expected_bases()));
  say(fmt::format("finding reads with {}, {} threads; ready after {:.3f} s", finder->describe(), threads, seconds()));
  reads.hold(o.batch_bytes != 0 ? o.batch_bytes : finder->batch_bytes());

  const ReadFormatter formatter(reference, format_options(o, insert, format, part));
  std::unique_ptr<OutputFile> json =
      o.json.empty() ? nullptr : std::make_unique<OutputFile>(o.json, 1, OutputCompression::by_name);
  MapOutput output(o, format, formatter);
  ProgressCounts progress;
  MapOptions mapping;
  mapping.reads = {o.edits, o.rate, o.strand, paired(o)};
  mapping.report = o.report;
  mapping.most_secondary = o.most_secondary;
  mapping.threads = threads;
  mapping.log = say;
  mapping.progress = &progress;
  std::optional<ProgressMeter> meter;
  start_meter(o, progress, reads.text_bytes(), meter);
  const MapSummary summary = run_map(mapping, reads, reference, *finder, formatter,
                                     [&output](std::string_view records) { output.write(records); });
  meter.reset();

  RunReport report;
  report.command = "map";
  report.parameters = all;
  report.part = part;
  report.matcher = finder->describe();
  report.threads = threads;
  report.seconds = seconds();
  if (json != nullptr) json->write(json_report(report, reference, reads.sources(), summary));
  output.commit();
  if (json != nullptr) json->commit();
  warn_of(summary, o);
  say(fmt::format("{} of {} reads mapped in {:.3f} s", summary.mapped, summary.reads, seconds()));
  return 0;
}

}  // namespace

std::function<int()> add_map_command(CLI::App& app) {
  auto options = std::make_shared<MapOptionsGiven>();
  CLI::App& command =
      *app.add_subcommand("map", "Place reads with edits on a reference, both strands; write SAM, BAM or CRAM");
  set_help(command, map_help());
  command.group(kSearchCommands);
  add_input_options(command, *options);
  add_map_options(command, *options);
  add_region_options(command, options->regions, "the reference");
  add_chunk_options(command, options->chunk);
  add_run_options(command, *options, read_algorithms());
  return [options] { return run_map_command(*options); };
}

}  // namespace basesweep
