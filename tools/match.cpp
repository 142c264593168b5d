// basesweep match: finds patterns with edits, writes SAM, BAM, BED or TSV.
#include <fmt/format.h>

#include <array>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

constexpr std::array kFormats{OutputFormat::sam, OutputFormat::bam, OutputFormat::bed, OutputFormat::tsv};

struct MatchOptions {
  SearchOptions search;
  EditOptions edits;
  Report report = Report::sites;
  std::optional<bool> best_of;  // --best-of was given: among all patterns of a record
  std::optional<std::uint32_t> overhang;
  SamChoices sam;
  bool edit_kinds = false;
  bool aligned = false;
};

std::vector<Term> environment() {
  std::vector<Term> all = search_environment();
  all.push_back(
      {"TMPDIR",
       "Folder for hits that must wait for the end of the input, if the output is not a file (default: /tmp)."});
  return all;
}

Help match_help() {
  return {
      .synopsis = {"[OPTIONS] {-p PRIMER | -f FILE}... {-k N | -e RATE} [INPUT...]"},
      .sections =
          {{"Hits",
            {"A place where at most k edits turn the whole primer into the text. An edit is a mismatch, an inserted or "
             "a deleted base. IUPAC codes in the primer match the bases they stand for; an N in the text costs an "
             "edit. Next to each such place, others begin or end one base earlier or later: --report chooses "
             "which of them are hits."},
            {{"sites",
              "Places that have the fewest edits (then indels, then bases) both of all with their start and of all "
              "with their end."},
             {"minima", "Sites that overlap no better site of the same primer and strand."},
             {"best", "Sites with the fewest edits that the primer has in the whole input."},
             {"best-per-record",
              "Sites with the fewest edits that the primer has in its record, on both strands; with --best-of record, "
              "with the fewest that any primer has there. TSV adds the columns best (hits of the record that are as "
              "good) and next_edits (fewest edits of another site, that overlaps no best one of its primer and "
              "strand), "
              "SAM the tags XB and XN."},
             {"all", "Every place."}}},
           {"Overhang",
            {"With --overhang a primer may hang over either end of a record, as adapters do at the ends of reads: a "
             "base "
             "of it that lies outside matches anything. At least N of its bases must lie inside (N is not counted), "
             "and "
             "the edits it may have shrink with the part inside: the error rate times that part, or k times its share "
             "of the primer, rounded down. Low N gives hits by chance: in 40 random bases 8 % at N = 3, 0.7 % at 5. "
             "N >= 5 is a good choice. Start and end are cut to the record; CIGAR has the bases outside as S; TSV "
             "adds the columns pattern_start and pattern_end, the part of the primer inside. minima, best and "
             "best-per-record count a base outside as an edit."}},
           {"Output format",
            {"Hits are sorted by record, start, end, strand, primer."},
            {{"sam, bam",
              "One alignment per hit. A primer's first alignment is primary, the others are secondary. XE:i is the "
              "number of edits."},
             {"bed", "record, start, end, primer, score (1000 (1 - edits / length)), strand; 0-based and half-open"},
             {"tsv", "record, start, end, primer, strand, edits, indels, CIGAR, matched text; with a header line"},
             {"--count", "primer, strand, count; with a header line"}}},
           {"SAM and BAM",
            {"The header lists all records. Without an index (.fai) beside the input, hits therefore wait in a "
             "temporary file, and --max-hits still reads the input to its end."}}},
      .examples = {{"Find primers with up to two edits; write alignments",
                    {"basesweep match -f primers.fa -k 2 genome.fa -o hits.bam"}},
                   {"Allow one edit per ten bases, none in the last three; keep the best places",
                    {"basesweep match -f primers.fa -e 0.1 --clamp-3prime 3 --report best \\",
                     "    genome.fa.gz -o hits.bed"}},
                   {"Allow only mismatches, in a primer with IUPAC codes",
                    {"basesweep match -p GTGYCAGCMGCCGCGGTAA -k 3 --max-indels 0 genome.fa >all.sam"}},
                   {"Find adapters in reads from a pipe, also those that the read's end cuts off",
                    {"zcat reads.fq.gz | basesweep match -f adapters.fa -e 0.1 --strand plus \\",
                     "    --overhang-3prime 5 --report best-per-record"}},
                   {"Find barcodes anywhere in reads",
                    {"basesweep match -f barcodes.fa -k 3 --report minima reads.fq.gz -o tags.tsv"}}},
      .files = index_files(),
      .environment = environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"motif", "map", "plan", "merge"},
      .most_used = {"-p", "-f", "-k", "-e", "--clamp-3prime", "--report", "-o", "--count", "-h", "--help"}};
}

void add_options(CLI::App& command, MatchOptions& o) {
  begin_group(command, group::kHits);
  add_edit_options(command, "primer", o.edits.edits, o.edits.rate);
  add_edits(command, "--max-mismatches", o.edits.max_mismatches, "Allow at most N mismatches among the edits");
  add_edits(command, "--max-indels", o.edits.max_indels, "Allow at most N inserted or deleted bases among the edits");
  add_edits(command, "--max-dna-bulges", o.edits.max_dna_bulges,
            "Allow at most N text bases without a primer base (D in CIGAR) among the indels");
  add_edits(command, "--max-rna-bulges", o.edits.max_rna_bulges,
            "Allow at most N primer bases without a text base (I in CIGAR) among the indels");
  add_number(command, "--clamp-3prime", o.edits.clamp_3prime, {.max = 1'000'000},
             "The last N bases of the primer (3' end) must match without an edit");
  add_number(command, "--clamp-5prime", o.edits.clamp_5prime, {.max = 1'000'000},
             "The first N bases of the primer (5' end) must match without an edit");
  add_choice<Report>(command, "--report", o.report,
                     {{"sites", Report::sites},
                      {"minima", Report::minima},
                      {"best", Report::best},
                      {"best-per-record", Report::best_per_record},
                      {"all", Report::all}},
                     "Which places to report as hits (default: sites)");
  add_words(command, "--best-of", {"pattern", "record"}, [&o](std::size_t word) { o.best_of = word == 1; },
            "With --report best-per-record: compare the hits of each primer (default), or of all primers of a record",
            {});
  add_number(command, "--overhang", o.overhang, {.min = 1, .max = 1'000'000},
             "A primer may hang over the ends of a record if at least N of its bases lie inside");
  add_number(command, "--overhang-5prime", o.edits.overhang_5prime, {.min = 1, .max = 1'000'000},
             "The same, only for the primer's 5' end");
  add_number(command, "--overhang-3prime", o.edits.overhang_3prime, {.min = 1, .max = 1'000'000},
             "The same, only for the primer's 3' end");
  begin_group(command, group::kOutput);
  add_format_option(command, o.search.format, kFormats,
                    "Output format (default: from the output's name, else sam for FASTA, tsv for FASTQ)");
  add_flag(command, "--edit-columns", o.edit_kinds,
           "Add the columns mismatches, insertions and deletions to TSV, named as in CIGAR strings");
  add_flag(
      command, "--aligned", o.aligned,
      "Add the columns aligned_pattern and aligned_text to TSV: both as the pattern's strand reads, with - for gaps");
  add_sam_options(command, o.sam, "hit");
}

// The command line of @PG: the options that affect the result, without those at their default.
std::string canonical_command(const MatchOptions& o) {
  std::string line = "basesweep match";
  const auto add = [&line](const char* option, const auto& value) { line += fmt::format(" {} {}", option, value); };
  if (o.edits.edits) add("-k", *o.edits.edits);
  if (o.edits.rate) add("-e", *o.edits.rate);
  if (o.edits.max_mismatches) add("--max-mismatches", *o.edits.max_mismatches);
  if (o.edits.max_indels) add("--max-indels", *o.edits.max_indels);
  if (o.edits.max_dna_bulges) add("--max-dna-bulges", *o.edits.max_dna_bulges);
  if (o.edits.max_rna_bulges) add("--max-rna-bulges", *o.edits.max_rna_bulges);
  if (o.edits.clamp_5prime != 0) add("--clamp-5prime", o.edits.clamp_5prime);
  if (o.edits.clamp_3prime != 0) add("--clamp-3prime", o.edits.clamp_3prime);
  if (o.edits.overhang_5prime) add("--overhang-5prime", *o.edits.overhang_5prime);
  if (o.edits.overhang_3prime) add("--overhang-3prime", *o.edits.overhang_3prime);
  if (o.report != Report::sites) add("--report", word_of(o.report));
  if (o.search.patterns_compete) line += " --best-of record";
  if (o.search.strand != StrandChoice::both) add("--strand", word_of(o.search.strand));
  if (o.search.palindromes != PalindromeChoice::once) line += " --palindromes both";
  if (o.search.skip_soft_masked) line += " --soft-masked skip";
  if (o.search.non_overlapping) line += " --non-overlapping";
  if (o.search.max_hits) add("--max-hits", *o.search.max_hits);
  if (o.sam.distinguish) line += " --eqx";
  return line;
}

std::unique_ptr<Formatter> make_formatter(OutputFormat format, const MatchOptions& o, const PatternSet& patterns,
                                          const std::optional<PartLabel>& part) {
  const MergeColumns more = merge_columns(o.search, patterns, part);
  switch (format) {
    case OutputFormat::counts:
    case OutputFormat::bed: return make_bed_formatter(patterns, more);
    case OutputFormat::tsv:
      return make_tsv_formatter(patterns, {more, o.edit_kinds, o.aligned, o.report == Report::best_per_record});
    default: break;
  }
  const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
  return make_sam_formatter(patterns,
                            {format == OutputFormat::bam, o.sam.distinguish, !o.sam.no_program, canonical_command(o),
                             o.sam.read_group, part ? print_part(*part) : "", input_name(path)});
}

RunParameters parameters(const MatchOptions& o, const std::string& output) {
  const auto number = [](const std::optional<std::uint32_t>& n) {
    return n ? ParameterValue(std::int64_t{*n}) : ParameterValue();
  };
  RunParameters all = {{"edits", number(o.edits.edits)},
                       {"error_rate", o.edits.rate ? ParameterValue(*o.edits.rate) : ParameterValue()},
                       {"max_mismatches", number(o.edits.max_mismatches)},
                       {"max_indels", number(o.edits.max_indels)},
                       {"clamp_5prime", std::int64_t{o.edits.clamp_5prime}},
                       {"clamp_3prime", std::int64_t{o.edits.clamp_3prime}},
                       {"report", word_of(o.report)},
                       {"output", output}};
  // Parameters of younger options stand only where the option is given.
  if (o.edits.max_dna_bulges) all.emplace_back("max_dna_bulges", number(o.edits.max_dna_bulges));
  if (o.edits.max_rna_bulges) all.emplace_back("max_rna_bulges", number(o.edits.max_rna_bulges));
  if (o.edits.overhang_5prime) all.emplace_back("overhang_5prime", number(o.edits.overhang_5prime));
  if (o.edits.overhang_3prime) all.emplace_back("overhang_3prime", number(o.edits.overhang_3prime));
  if (o.report == Report::best_per_record)
    all.emplace_back("best_of", o.search.patterns_compete ? "record" : "pattern");
  if (o.edit_kinds) all.emplace_back("edit_columns", "yes");
  if (o.aligned) all.emplace_back("aligned", "yes");
  return all;
}

// Throws UsageError if options conflict; --overhang stands for both ends.
void settle(MatchOptions& o) {
  if (o.best_of && o.report != Report::best_per_record) throw UsageError("--best-of needs --report best-per-record");
  o.search.patterns_compete = o.best_of.value_or(false);
  if (!o.overhang) return;
  if (o.edits.overhang_5prime || o.edits.overhang_3prime) {
    throw UsageError("use --overhang, or --overhang-5prime and --overhang-3prime, not both");
  }
  o.edits.overhang_5prime = o.edits.overhang_3prime = o.overhang;
}

int run_match(MatchOptions o) {
  Run run("match", o.search);
  check_edits(o.edits.edits, o.edits.rate);
  settle(o);
  check_search_options(o.search, "match");
  const std::optional<OutputFormat> named = output_format(o.search, kFormats);
  const PatternSet patterns(collect_patterns(o.search), o.search.strand, o.search.palindromes, o.edits);
  Scope scope = find_scope(o.search, patterns, o.report);
  Reader reader = open_reader(o.search, patterns, scope);
  const std::optional<Format> text = reader.format();
  const OutputFormat format = named.value_or(text == Format::fastq ? OutputFormat::tsv : OutputFormat::sam);
  const bool is_sam = format == OutputFormat::sam || format == OutputFormat::bam;
  if (is_sam && text == Format::fastq) {
    throw UsageError(std::string(kNeedsFasta));
  }
  if (!is_sam && (o.sam.distinguish || o.sam.no_program || !o.sam.read_group.empty())) {
    throw UsageError("--eqx, --no-PG and -R need SAM or BAM output");
  }
  if (format != OutputFormat::tsv && (o.edit_kinds || o.aligned)) {
    throw UsageError("--edit-columns and --aligned need TSV output");
  }
  if (!is_sam) {
    scope.records.reset();
  } else if (!scope.records) {
    if (const auto indices = find_indices(o.search.inputs, o.search.regions)) scope.records = records_of(*indices);
  }
  const RunParameters all = search_parameters(o.search, parameters(o, word_of(format)));
  RunParameters of_part = all;
  if (is_sam) of_part.emplace_back("eqx", o.sam.distinguish ? "yes" : "no");
  if (waits_for_merge(scope, o.report)) of_part.emplace_back("records", "cut");
  const std::optional<PartLabel> part = part_label(run.command(), patterns, scope, of_part);
  const std::unique_ptr<Formatter> formatter = make_formatter(format, o, patterns, part);
  const Search search{.patterns = patterns,
                      .formatter = *formatter,
                      .compression = format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name,
                      .report = o.report,
                      .scope = std::move(scope),
                      .parameters = all,
                      .part = part,
                      .label_first = part && !is_sam};
  return run_search(o.search, search, run, reader);
}

}  // namespace

std::function<int()> add_match_command(CLI::App& app) {
  auto options = std::make_shared<MatchOptions>();
  CLI::App& command = add_command(
      app, "match", "Find primers and other patterns with edits on both strands; write SAM, BAM, BED or TSV",
      kSearchCommands, match_help());
  add_options(command, *options);
  add_search_options(command, options->search, "primer", approximate_algorithms());
  return [options] { return run_match(*options); };
}

}  // namespace basesweep
