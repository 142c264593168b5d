// basesweep motif: finds exact and IUPAC motifs, writes BED, TSV, GFF3 or FASTA.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lib/base/stream_names.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/compiled_options.hpp"
#include "tools/help.hpp"
#include "tools/hit_job.hpp"
#include "tools/pair_search.hpp"
#include "tools/reads_files.hpp"

namespace basesweep {
namespace {

// Stands for what the command searches for, in its help.
PatternSet example_set() { return {{{"motif", "A"}}, StrandChoice::both, PalindromeChoice::once}; }

Help motif_help() {
  const PatternSet example = example_set();
  return {
      .synopsis = {"[OPTIONS] {-p MOTIF | -f FILE}... [INPUT... | -1 FILE -2 FILE]"},
      .sections =
          {{"Hits",
            {"Every place where each base of the text is one that the motif's letter stands for; places may overlap. N "
             "and other IUPAC codes in the text match nothing, not even an N in a motif. Lower case counts as upper "
             "case, U as T."}},
           {"Output format",
            {"One line per hit, sorted by record, start, end, strand, motif. Positions are 0-based, half-open and on "
             "the forward strand. With --count: one line per motif and strand."},
            {{"bed", "record, start, end, motif, score (1000), strand"},
             table_term(HitRows(example)),
             {"gff3", "a feature per hit, its motif as Name; 1-based"},
             {"fasta", "the matched text as the hit's strand reads it; record:start-end(strand) as its name"},
             {"--count", "motif, strand, count; with a header line"}}},
           circular_help(),
           pairs_help("motif")},
      .examples = {{"Find all EcoRI sites of a genome", {"basesweep motif -p GAATTC genome.fa.gz -o ecori.bed"}},
                   {"Motifs from a file, compressed output, a report of the run",
                    {"basesweep motif -f motifs.fa genome.fa -o hits.bed.gz --json run.json"}},
                   {"Count the hits of a motif with IUPAC codes on each strand",
                    {"basesweep motif -p GANTC --count genome.fa"}},
                   {"Cut out the sites with 20 bases on either side",
                    {"basesweep motif -p GAATTC --flank 20 genome.fa -o sites.fa"}},
                   {"Read from a pipe", {"zcat reads.fq.gz | basesweep motif -p AGATCGGAAGAGC --format tsv"}},
                   {"Search a part of one chromosome",
                    {"basesweep motif -p TATAAT --region chr1:1,000,001-2000000 genome.fa"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"match", "map", "plan", "merge"},
      .columns = columns_of(HitRows(example)),
      .most_used = {"-p", "-f", "--strand", "--non-overlapping", "-o", "--format", "--count", "--max-hits", "-h",
                    "--help"}};
}

// Warns of limits in a table, which only match obeys.
void warn_of_limits(const PatternSet& patterns, const std::function<void(const std::string&)>& warn) {
  for (const Pattern& pattern : patterns.patterns()) {
    if (!pattern.has_limits()) continue;
    warn(fmt::format("{}: its columns edits, clamp_5prime and clamp_3prime are for match: motif ignores them",
                     pattern.file));
    return;
  }
}

class MotifJob final : public HitJob {
 public:
  explicit MotifJob(SearchJobOptions options) : options_(std::move(options)) {}

  const char* command() const override { return "motif"; }
  SearchJobOptions& options() override { return options_; }
  const SearchJobOptions& options() const override { return options_; }

  int show_columns() override {
    if (options_.count) return basesweep::show_columns(*count_rows(counted_by()), options_.shown);
    const PatternSet example = example_set();
    return basesweep::show_columns(HitRows(example, row_options(options_)), options_.shown);
  }

  void settle(const PartSet* /*parts*/) override {
    check_search_options(options_, command());
    refuse_reads(options_);
    chosen_ = output_format(options_, hit_formats(false)).value_or(OutputFormat::bed);
    check_details(options_, chosen_);
    if (options_.count) check_count_table(counted_by(), table_form());
  }

  void find_queries(const PartSet* parts, Run& run) override {
    find_compiled_set(parts, SetKind::exact);
    if (compiled_) take_options(*compiled_, options_);
    LeftOut left_out;
    patterns_.emplace(compiled_ ? std::move(compiled_->patterns) : collect_patterns(options_, left_out),
                      options_.strand, options_.palindromes);
    run.tell_left_out(left_out);
    if (parts == nullptr) warn_of_limits(*patterns_, run.warn());
  }

 protected:
  const PatternSet& patterns() const override { return *patterns_; }
  OutputFormat choose_format() override { return chosen_; }
  RunParameters own_parameters() const override {
    RunParameters all = parameters_of(hit_options("motif"), options_);
    all.emplace_back("output", word_of(format()));
    return all;
  }
  CountedBy counted_by() const override {
    return {.by_file = options_.per_file, .files = input_names(options_.inputs)};
  }
  std::unique_ptr<Formatter> make_formatter() override {
    return make_hit_formatter(*patterns_, format(), row_options(options_),
                              {shown_columns(options_), options_.circular});
  }
  std::string print_queries() const override {
    return print_set({SetKind::exact, {{}, options_.strand, options_.palindromes}, patterns_->patterns()});
  }

 private:
  SearchJobOptions options_;
  OutputFormat chosen_ = OutputFormat::bed;
  std::optional<PatternSet> patterns_;
};

}  // namespace

Work add_motif_command(CLI::App& app) {
  auto options = std::make_shared<SearchJobOptions>();
  CLI::App& command = add_command(app, "motif", "Find exact and IUPAC motifs; write BED, TSV, GFF3 or FASTA",
                                  kSearchCommands, motif_help());
  begin_group(command, group::kOutput);
  add_format_option(command, options->format, hit_formats(false),
                    "Output format (default: from the output's name, else bed)");
  begin_group(command, group::kPatterns);
  add_pattern_options(command, *options, "motif");
  add_options(command, hit_options("motif"), *options);
  add_text_options(command, *options);
  add_algorithm_option(command, options->algorithm, exact_algorithms());
  return [options](PartSet* parts) {
    MotifJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
