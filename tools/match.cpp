// basesweep match: finds patterns with edits, writes SAM, BAM, BED, TSV, GFF3 or FASTA.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/compiled_options.hpp"
#include "tools/help.hpp"
#include "tools/hit_job.hpp"
#include "tools/pair_search.hpp"
#include "tools/reads_files.hpp"

namespace basesweep {
namespace {

struct MatchOptions {
  SearchJobOptions search;
  EditOptions edits;
  Report report = Report::sites;
  std::optional<bool> best_of;  // --best-of was given: among all patterns of a record
  std::optional<std::uint32_t> overhang;
  SamChoices sam;
  bool edit_kinds = false;
  bool aligned = false;
};

// Stands for what the command searches for, in its help.
PatternSet example_set() {
  EditOptions one;
  one.edits = 1;
  return {{{"primer", "ACGT"}}, StrandChoice::both, PalindromeChoice::once, one};
}

Help match_help() {
  const PatternSet example = example_set();
  return {
      .synopsis = {"[OPTIONS] {-p PRIMER | -f FILE}... {-k N | -e RATE | --mismatches N} [INPUT... | -1 FILE -2 FILE]"},
      .sections =
          {{"Hits",
            {"A place where at most k edits turn the whole primer into the text. An edit is a mismatch, an inserted or "
             "a deleted base. IUPAC codes in the primer match the bases they stand for; an N in the text costs an "
             "edit. Next to each such place, others begin or end one base earlier or later: --report chooses "
             "which of them are hits.",
             "A table of primers may have columns edits, clamp_5prime and clamp_3prime. A number there is the limit of "
             "its primer; the options of these limits are for the empty cells."},
            {{"sites",
              "Places that have the fewest edits (then indels, then bases) both of all with their start and of all "
              "with their end."},
             {"minima", "Sites that overlap no better site of the same primer and strand."},
             {"best", "Sites with the fewest edits that the primer has in the whole input."},
             {"best-per-record",
              "Sites with the fewest edits that the primer has in its record, on both strands; with --best-of record, "
              "with the fewest that any primer has there. TSV adds the columns best (hits of the record that are as "
              "good) and next_edits (fewest edits of another site, that overlaps no best one of its primer and "
              "strand), SAM the tags XB and XN."},
             {"all", "Every place."}}},
           {"Overhang",
            {"With --overhang a primer may hang over either end of a record, as adapters do at the ends of reads: a "
             "base of it that is outside matches anything. At least N of its bases must be inside (N is not "
             "counted), "
             "and the edits it may have shrink with the part inside: the error rate times that part, or k times its "
             "share "
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
             table_term(HitRows(example)),
             {"gff3", "a feature per hit, its primer as Name; 1-based"},
             {"fasta", "the matched text as the hit's strand reads it; record:start-end(strand) as its name"},
             {"--count", "primer, strand, count; with a header line"}}},
           circular_help(),
           pairs_help("primer"),
           {"SAM and BAM",
            {"The header lists all records. Without an index (.fai) beside the input, hits therefore wait in a "
             "temporary file, and --max-hits still reads the input to its end."}}},
      .examples = {{"Find primers with up to two edits; write alignments",
                    {"basesweep match -f primers.fa -k 2 genome.fa -o hits.bam"}},
                   {"Allow one edit per ten bases, none in the last three; keep the best places",
                    {"basesweep match -f primers.fa -e 0.1 --clamp-3prime 3 --report best \\",
                     "    genome.fa.gz -o hits.bed"}},
                   {"Allow only mismatches, in a primer with IUPAC codes",
                    {"basesweep match -p GTGYCAGCMGCCGCGGTAA --mismatches 3 genome.fa >all.sam"}},
                   {"Find adapters in reads from a pipe, also those that the read's end cuts off",
                    {"zcat reads.fq.gz | basesweep match -f adapters.fa -e 0.1 --strand plus \\",
                     "    --overhang-3prime 5 --report best-per-record"}},
                   {"Write the pairs with an adapter in any mate to two files, in step",
                    {"basesweep match -f adapters.fa -e 0.1 -1 reads_R1.fq.gz -2 reads_R2.fq.gz \\",
                     "    -o hits.tsv --matching-reads with_1.fq.gz --matching-reads with_2.fq.gz"}},
                   {"Find barcodes anywhere in reads; of each read keep the best",
                    {"basesweep match -f barcodes.fa -k 3 --report best-per-record \\",
                     "    --best-of record reads.fq.gz -o tags.tsv"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"motif", "map", "plan", "merge"},
      .columns = columns_of(HitRows(example)),
      .most_used = {"-p", "-f", "-k", "-e", "--mismatches", "--clamp-3prime", "--report", "-o", "--count", "-h",
                    "--help"}};
}

const std::vector<std::pair<std::string, Report>> kReports{{"sites", Report::sites},
                                                           {"minima", Report::minima},
                                                           {"best", Report::best},
                                                           {"best-per-record", Report::best_per_record},
                                                           {"all", Report::all}};

OptionRow<MatchOptions> best_of_option() {
  return {"--best-of",
          [](CLI::App& command, MatchOptions& o) {
            add_words(command, "--best-of", {"pattern", "record"}, 0, [&o](std::size_t word) { o.best_of = word == 1; },
                      "With --report best-per-record: compare the hits of each primer (default), or of all primers of "
                      "a record",
                      {.in_merge = "With --report best-per-record: compare those of each pattern, or all of a record"});
          },
          [](const MatchOptions& o) {
            if (o.report != Report::best_per_record) return ParameterValue();
            return ParameterValue(o.search.patterns_compete ? "record" : "pattern");
          },
          "best_of",
          false,
          [](const MatchOptions& o) { return std::string(o.search.patterns_compete ? " --best-of record" : ""); }};
}

OptionTable<MatchOptions> match_options() {
  return TableMaker<MatchOptions>()
      .begin(group::kHits)
      .table(&MatchOptions::edits, edit_options("primer", kEditLimits))
      .call([](CLI::App& command, MatchOptions& o) { add_mismatches_option(command, o.search.mismatches); })
      .number("--overhang", &MatchOptions::overhang, {.min = 1, .max = kMostEnds},
              "A primer may hang over the ends of a record if at least N of its bases are inside")
      .choice("--report", &MatchOptions::report, kReports, "Which places to report as hits (default: sites)",
              {.in_merge = "Which hits or products to report"})
      .reported("report")
      .in_program()
      .row(best_of_option())
      .begin(group::kOutput)
      .call([](CLI::App& command, MatchOptions& o) {
        add_format_option(command, o.search.format, hit_formats(true),
                          "Output format (default: from the output's name, else sam for FASTA, tsv for FASTQ)");
      })
      .flag("--edit-columns", &MatchOptions::edit_kinds,
            "Add the columns mismatches, insertions and deletions to TSV, named as in CIGAR strings", {.in_merge = ""})
      .reported_if_given("edit_columns")
      .flag("--aligned", &MatchOptions::aligned,
            "Add the columns aligned_pattern and aligned_text to TSV: both as the pattern's strand reads, with - for "
            "gaps",
            {.in_merge = ""})
      .reported_if_given("aligned")
      .flag("--by-edits", at(&MatchOptions::search, &SearchJobOptions::by_edits),
            "With --count: add a column for each number of edits, edits_0 to edits_k", {.in_merge = ""})
      .reported_if_given("by_edits")
      .table(&MatchOptions::search, hit_options("primer"))
      .table(&MatchOptions::sam, sam_options("hit"))
      .take();
}

HitRowOptions hit_row_options(const MatchOptions& o) {
  HitRowOptions options = row_options(o.search);
  options.standing = o.report == Report::best_per_record;
  return options;
}

std::unique_ptr<Formatter> formatter_of(OutputFormat format, const MatchOptions& o, const PatternSet& patterns) {
  if (!is_aligned(format)) {
    ShownColumns columns = shown_columns(o.search);
    const auto add = [&columns](std::initializer_list<const char*> names) {
      columns.added.insert(columns.added.end(), names.begin(), names.end());
    };
    if (o.edit_kinds) add({"mismatches", "insertions", "deletions"});
    if (o.aligned) add({"aligned"});
    return make_hit_formatter(patterns, format, hit_row_options(o), {std::move(columns), o.search.circular});
  }
  const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
  return make_sam_formatter(make_hit_sam(patterns, o.sam.distinguish),
                            {.binary = format == OutputFormat::bam,
                             .program = !o.sam.no_program,
                             .command_line = program_of("match", match_options(), o),
                             .read_group = o.sam.read_group,
                             .circular = o.search.circular,
                             .path = input_name(path)});
}

// Warns of patterns that are so short that -e allows them no edit.
void warn_of_exact(const PatternSet& patterns, std::optional<double> rate,
                   const std::function<void(const std::string&)>& warn) {
  if (!rate || *rate == 0) return;
  std::set<std::uint32_t> exact;
  for (const Query& query : patterns.queries()) {
    const bool own = patterns.patterns()[query.pattern].edits.has_value();
    if (!own && edits_at_rate(*rate, query.sets.size()) == 0) exact.insert(query.pattern);
  }
  if (exact.empty()) return;
  const std::string& name = patterns.patterns()[*exact.begin()].name;
  warn(exact.size() == 1 ? fmt::format("-e {} allows pattern '{}' no edit: it is too short", *rate, name)
                         : fmt::format("-e {} allows {} patterns no edit, as they are too short; the first is '{}'",
                                       *rate, exact.size(), name));
}

// Throws UsageError if options conflict; --overhang stands for both ends.
void settle_ends(MatchOptions& o) {
  const bool per_record = o.report == Report::best_per_record;
  if (o.best_of && !per_record) throw UsageError("--best-of needs --report best-per-record");
  o.search.patterns_compete = o.best_of.value_or(false);
  if (o.overhang) {
    if (o.edits.overhang_5prime || o.edits.overhang_3prime) {
      throw UsageError("use --overhang, or --overhang-5prime and --overhang-3prime, not both");
    }
    o.edits.overhang_5prime = o.edits.overhang_3prime = o.overhang;
  }
  if (!o.search.circular.any()) return;
  if (o.edits.overhang_5prime || o.edits.overhang_3prime) {
    throw UsageError("--overhang and --circular conflict: a circular record has no ends");
  }
  if (per_record) throw UsageError("--report best-per-record and --circular conflict");
}

// Throws UsageError if parts do not hold the hits that --report asks for.
void check_report(const PartSet& parts, Report report) {
  const std::string of_chunks = parameter(parts.head().label, "report");
  const bool of_sites = of_chunks != "minima" && of_chunks != "all";
  const bool chosen = report == Report::sites || report == Report::best || report == Report::best_per_record;
  if (of_chunks == word_of(report) || (of_sites && chosen)) return;
  throw UsageError(fmt::format("--report {}: the chunks looked for {}{}", word_of(report), of_chunks,
                               of_sites ? ": choose sites, best or best-per-record, or run them with it" : ""));
}

class MatchJob final : public HitJob {
 public:
  explicit MatchJob(MatchOptions options) : o_(std::move(options)) {}

  const char* command() const override { return "match"; }
  SearchJobOptions& options() override { return o_.search; }
  const SearchJobOptions& options() const override { return o_.search; }

  int show_columns() override {
    const PatternSet example = example_set();
    if (!o_.search.count) {
      return basesweep::show_columns(HitRows(example, hit_row_options(o_)), o_.search.shown);
    }
    const std::uint32_t edits = o_.edits.edits.value_or(o_.search.mismatches.value_or(example.max_edits()));
    return basesweep::show_columns(*count_rows(counted_by(edits)), o_.search.shown);
  }

  void settle(const PartSet* parts) override {
    take_mismatches(o_.search.mismatches, o_.edits);
    if (parts == nullptr && (o_.search.pattern_files.empty() || o_.edits.rate)) check_edits(o_.edits);
    settle_ends(o_);
    check_search_options(o_.search, command());
    refuse_reads(o_.search);
    if (parts != nullptr) check_report(*parts, o_.report);
    named_ = output_format(o_.search, hit_formats(true));
  }

  void find_queries(const PartSet* parts, Run& run) override {
    find_compiled_set(parts, SetKind::approximate);
    if (compiled_) take_options(*compiled_, o_.search, o_.edits);
    LeftOut left_out;
    patterns_ = with_edits(compiled_ ? std::move(compiled_->patterns) : collect_patterns(o_.search, left_out),
                           o_.search.strand, o_.search.palindromes, o_.edits);
    run.tell_left_out(left_out);
    if (parts == nullptr) warn_of_exact(*patterns_, o_.edits.rate, run.warn());
  }

 protected:
  const PatternSet& patterns() const override { return *patterns_; }
  Report report() const override { return o_.report; }
  OutputFormat choose_format() override {
    const bool fastq = is_fastq();
    const OutputFormat format = named_.value_or(fastq ? OutputFormat::tsv : OutputFormat::sam);
    if (is_aligned(format) && o_.search.reads_pairs()) {
      throw UsageError(
          "SAM and BAM list every record in their header, so they are not for pairs of reads: use --format tsv or bed");
    }
    if (fastq && is_aligned(format)) throw UsageError(std::string(kNeedsFasta));
    check_details(o_.search, format);
    if (o_.search.count) check_count_table(counted_by(), table_form());
    return format;
  }
  RunParameters own_parameters() const override {
    RunParameters all = parameters_of(match_options(), o_);
    all.emplace_back("output", word_of(format()));
    return all;
  }
  CountedBy counted_by() const override { return counted_by(patterns_->max_edits()); }
  std::unique_ptr<Formatter> make_formatter() override { return formatter_of(format(), o_, *patterns_); }
  std::string print_queries() const override {
    return print_set(
        {SetKind::approximate, {o_.edits, o_.search.strand, o_.search.palindromes}, patterns_->patterns()});
  }

 private:
  // `max_edits`: of any pattern.
  CountedBy counted_by(std::uint32_t max_edits) const {
    CountedBy by{.by_file = o_.search.per_file, .files = input_names(o_.search.inputs)};
    if (o_.search.by_edits) by.widest = max_edits + 1;
    return by;
  }

  MatchOptions o_;
  std::optional<OutputFormat> named_;  // by --format or the output's name
  std::optional<PatternSet> patterns_;
};

}  // namespace

Work add_match_command(CLI::App& app) {
  auto options = std::make_shared<MatchOptions>();
  CLI::App& command = add_command(app, "match", "Find patterns with edits; write SAM, BAM, BED, TSV, GFF3 or FASTA",
                                  kSearchCommands, match_help());
  begin_group(command, group::kPatterns);
  add_pattern_options(command, options->search, "primer");
  add_options(command, match_options(), *options);
  add_text_options(command, options->search);
  add_table_memory(command, options->search);
  add_algorithm_option(command, options->search.algorithm, approximate_algorithms());
  return [options](PartSet* parts) {
    MatchJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
