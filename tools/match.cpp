// basesweep match: patterns with edits to SAM, BAM, BED or TSV.
#include <fmt/format.h>

#include <array>

#include "lib/error.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

enum class MatchFormat { automatic, sam, bam, bed, tsv };

constexpr std::array<std::pair<const char*, MatchFormat>, 4> kFormats{
    {{"sam", MatchFormat::sam}, {"bam", MatchFormat::bam}, {"bed", MatchFormat::bed}, {"tsv", MatchFormat::tsv}}};

struct MatchOptions {
  SearchOptions search;
  EditOptions edits;
  Report report = Report::sites;
  MatchFormat format = MatchFormat::automatic;
  SamChoices sam;
};

std::vector<Term> environment() {
  std::vector<Term> all = search_environment();
  all.push_back({"TMPDIR", "Where hits wait for the end of the input if the output is not a file (default: /tmp)."});
  return all;
}

Help match_help() {
  return {
      .synopsis = {"[OPTIONS] {-p PRIMER | -f FILE}... {-k N | -e RATE} [INPUT...]"},
      .sections =
          {{"Hits",
            {"A place where the whole primer can be turned into the text by at most k edits: mismatches, inserted and "
             "deleted bases. IUPAC codes of the primer match what they stand for; N in the text costs an edit. Around "
             "such "
             "a place there are others that begin or end a base earlier or later: --report says which of them are "
             "hits."},
            {{"sites",
              "Of all places with the same start the one with least edits (then indels, then length), if it is that "
              "for its end too."},
             {"minima", "Sites that overlap no better site of the same primer and strand."},
             {"best", "Sites with the lowest edits of their primer over the whole input."},
             {"all", "Every place."}}},
           {"Output format",
            {"Hits sorted by record, start, end, strand, primer."},
            {{"sam, bam",
              "An alignment of the primer for each hit; the first of a primer is primary, the others secondary; "
              "XE:i is the number of edits."},
             {"bed", "record, start, end, primer, score (1000 (1 - edits / length)), strand; 0-based and half-open"},
             {"tsv", "record, start, end, primer, strand, edits, indels, CIGAR, matched text; with a header line"},
             {"--count", "primer, strand, count; with a header line"}}},
           {"SAM and BAM",
            {"Their header lists all records: without an index (.fai) beside the input, hits wait in a temporary file, "
             "and "
             "--max-hits still reads on to the end."}}},
      .examples = {{"Primers with up to two edits, as alignments",
                    {"basesweep match -f primers.fa -k 2 genome.fa -o hits.bam"}},
                   {"One edit in ten bases, none in the last three; the best places only",
                    {"basesweep match -f primers.fa -e 0.1 --clamp-3prime 3 --report best \\",
                     "    genome.fa.gz -o hits.bed"}},
                   {"Mismatches alone, a primer with IUPAC codes",
                    {"basesweep match -p GTGYCAGCMGCCGCGGTAA -k 3 --max-indels 0 genome.fa >all.sam"}},
                   {"Adapters in reads, from a pipe",
                    {"zcat reads.fq.gz | basesweep match -f adapters.fa -k 2 --report best"}}},
      .files = index_files(),
      .environment = environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"motif", "map", "plan", "merge"}};
}

void add_options(CLI::App& command, MatchOptions& o) {
  begin_group(command, group::kHits);
  add_edit_options(command, "primer", o.edits.edits, o.edits.rate);
  add_edits(command, "--max-mismatches", o.edits.max_mismatches, "Of the edits, so many mismatches at most");
  add_edits(command, "--max-indels", o.edits.max_indels, "Of the edits, so many inserted or deleted bases at most");
  const auto add_clamp = [&command](const std::string& name, std::uint32_t& value, const std::string& end) {
    command
        .add_option(name, value, fmt::format("The N bases at the {} end of the primer must match without edit", end))
        ->check(CLI::Range(0, 1'000'000).description(""))
        ->type_name("N");
  };
  add_clamp("--clamp-3prime", o.edits.clamp_3prime, "3'");
  add_clamp("--clamp-5prime", o.edits.clamp_5prime, "5'");
  add_choice<Report>(
      command, "--report", o.report,
      {{"sites", Report::sites}, {"minima", Report::minima}, {"best", Report::best}, {"all", Report::all}},
      "Which places are hits (default: sites)");
  begin_group(command, group::kOutput);
  add_choice<MatchFormat>(command, "--format", o.format, {kFormats.begin(), kFormats.end()},
                          "What to write (default: by the output's name, else sam for FASTA, tsv for FASTQ)");
  add_sam_options(command, o.sam, "hit");
}

// As --format has it, or the output's name, or the text.
MatchFormat choose_format(const MatchOptions& o, std::optional<Format> text) {
  if (o.format != MatchFormat::automatic) return o.format;
  std::string name = o.search.output;
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  for (const auto& [word, meaning] : kFormats) {
    if (name.ends_with(std::string(".") + word)) return meaning;
  }
  return text == Format::fastq ? MatchFormat::tsv : MatchFormat::sam;
}

// The options that bear on the result, those left at their default not named.
std::string canonical_command(const MatchOptions& o) {
  std::string line = "basesweep match";
  const auto add = [&line](const char* option, const auto& value) { line += fmt::format(" {} {}", option, value); };
  if (o.edits.edits) add("-k", *o.edits.edits);
  if (o.edits.rate) add("-e", *o.edits.rate);
  if (o.edits.max_mismatches) add("--max-mismatches", *o.edits.max_mismatches);
  if (o.edits.max_indels) add("--max-indels", *o.edits.max_indels);
  if (o.edits.clamp_5prime != 0) add("--clamp-5prime", o.edits.clamp_5prime);
  if (o.edits.clamp_3prime != 0) add("--clamp-3prime", o.edits.clamp_3prime);
  if (o.report != Report::sites) add("--report", word_of(o.report));
  if (o.search.strand != StrandChoice::both) add("--strand", word_of(o.search.strand));
  if (o.search.palindromes != PalindromeChoice::once) line += " --palindromes both";
  if (o.search.skip_soft_masked) line += " --soft-masked skip";
  if (o.search.non_overlapping) line += " --non-overlapping";
  if (o.search.max_hits) add("--max-hits", *o.search.max_hits);
  if (o.sam.distinguish) line += " --eqx";
  return line;
}

std::unique_ptr<Formatter> make_formatter(MatchFormat format, const MatchOptions& o, const PatternSet& patterns,
                                          const std::optional<PartLabel>& part) {
  const MergeColumns more = merge_columns(o.search, patterns, part);
  switch (format) {
    case MatchFormat::bed: return make_bed_formatter(patterns, more);
    case MatchFormat::tsv: return make_tsv_formatter(patterns, more);
    default: break;
  }
  const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
  return make_sam_formatter(patterns,
                            {format == MatchFormat::bam, o.sam.distinguish, !o.sam.no_program, canonical_command(o),
                             o.sam.read_group, part ? print_part(*part) : "", path == "-" ? "<stdin>" : path});
}

RunParameters parameters(const MatchOptions& o, const std::string& output) {
  const auto number = [](const std::optional<std::uint32_t>& n) {
    return n ? ParameterValue(std::int64_t{*n}) : ParameterValue();
  };
  return {{"edits", number(o.edits.edits)},
          {"error_rate", o.edits.rate ? ParameterValue(*o.edits.rate) : ParameterValue()},
          {"max_mismatches", number(o.edits.max_mismatches)},
          {"max_indels", number(o.edits.max_indels)},
          {"clamp_5prime", std::int64_t{o.edits.clamp_5prime}},
          {"clamp_3prime", std::int64_t{o.edits.clamp_3prime}},
          {"report", word_of(o.report)},
          {"output", output}};
}

int run_match(MatchOptions o) {
  const auto begin = std::chrono::steady_clock::now();
  check_edits(o.edits.edits, o.edits.rate);
  check_search_options(o.search, "match");
  const PatternSet patterns(collect_patterns(o.search), o.search.strand, o.search.palindromes, o.edits);
  Scope scope = find_scope(o.search, patterns, o.report);
  Reader reader = open_reader(o.search, patterns, scope);
  const std::optional<Format> text = reader.format();
  const MatchFormat format = o.search.count ? MatchFormat::bed : choose_format(o, text);
  const bool is_sam = format == MatchFormat::sam || format == MatchFormat::bam;
  if (is_sam && text == Format::fastq) {
    throw UsageError(std::string(kNeedsFasta));
  }
  if (!is_sam && (o.sam.distinguish || o.sam.no_program || !o.sam.read_group.empty())) {
    throw UsageError("--eqx, --no-PG and -R are for SAM and BAM");
  }
  if (!is_sam) {
    scope.records.reset();
  } else if (!scope.records) {
    if (const auto indices = find_indices(o.search.inputs, o.search.regions)) scope.records = records_of(*indices);
  }
  const RunParameters all =
      search_parameters(o.search, parameters(o, o.search.count ? "count" : word_in(kFormats, format)));
  RunParameters of_part = all;
  if (is_sam) of_part.emplace_back("eqx", o.sam.distinguish ? "yes" : "no");
  const std::optional<PartLabel> part = part_label("match", patterns, scope, of_part);
  const std::unique_ptr<Formatter> formatter = make_formatter(format, o, patterns, part);
  const Search search{.command = "match",
                      .begin = begin,
                      .patterns = patterns,
                      .formatter = *formatter,
                      .compression = format == MatchFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name,
                      .report = o.report,
                      .scope = std::move(scope),
                      .parameters = all,
                      .part = part,
                      .label_first = part && !is_sam};
  return run_search(o.search, search, reader);
}

}  // namespace

std::function<int()> add_match_command(CLI::App& app) {
  auto options = std::make_shared<MatchOptions>();
  CLI::App& command = *app.add_subcommand(
      "match", "Find primers and other patterns with edits on both strands; write SAM, BAM, BED or TSV");
  set_help(command, match_help());
  command.group(kSearchCommands);
  add_options(command, *options);
  add_search_options(command, options->search, "primer", approximate_algorithms());
  return [options] { return run_match(*options); };
}

}  // namespace basesweep
