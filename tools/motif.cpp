// basesweep motif: finds exact and IUPAC motifs, writes BED or TSV.
#include <fmt/format.h>

#include <array>

#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

constexpr std::array kFormats{OutputFormat::bed, OutputFormat::tsv};

Help motif_help() {
  return {
      .synopsis = {"[OPTIONS] {-p MOTIF | -f FILE}... [INPUT...]"},
      .sections =
          {{"Hits",
            {"Every place where each base of the text is one that the motif's letter stands for; places may overlap. N "
             "and other IUPAC codes in the text match nothing, not even an N in a motif. Lower case counts as upper "
             "case, U as T."}},
           {"Output format",
            {"One line per hit, sorted by record, start, end, strand, motif. Positions are 0-based, half-open and on "
             "the forward strand. With --count: one line per motif and strand."},
            {{"bed", "record, start, end, motif, score (1000), strand"},
             {"tsv", "record, start, end, motif, strand, matched text; with a header line"},
             {"--count", "motif, strand, count; with a header line"}}}},
      .examples = {{"Find all EcoRI sites of a genome", {"basesweep motif -p GAATTC genome.fa.gz -o ecori.bed"}},
                   {"Motifs from a file, compressed output, a report of the run",
                    {"basesweep motif -f motifs.fa genome.fa -o hits.bed.gz --json run.json"}},
                   {"Count the hits of a motif with IUPAC codes on each strand",
                    {"basesweep motif -p GANTC --count genome.fa"}},
                   {"Read from a pipe", {"zcat reads.fq.gz | basesweep motif -p AGATCGGAAGAGC --format tsv"}},
                   {"Search a part of one chromosome",
                    {"basesweep motif -p TATAAT --region chr1:1,000,001-2000000 genome.fa"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"match", "map", "plan", "merge"},
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

int run_motif(SearchOptions o) {
  Run run("motif", o);
  check_search_options(o, "motif");
  const OutputFormat format = output_format(o, kFormats).value_or(OutputFormat::bed);
  const PatternSet patterns(collect_patterns(o), o.strand, o.palindromes);
  warn_of_limits(patterns, run.warn());
  Scope scope = find_scope(o, patterns, Report::sites);
  const RunParameters parameters = search_parameters(o, {{"output", word_of(format)}});
  const std::optional<PartLabel> part = part_label(run.command(), patterns, scope, parameters);
  const MergeColumns more = merge_columns(o, patterns, part);
  const std::unique_ptr<Formatter> formatter =
      format == OutputFormat::tsv ? make_tsv_formatter(patterns, {more}) : make_bed_formatter(patterns, more);
  Reader reader = open_reader(o, patterns, scope);
  const Search search{.patterns = patterns,
                      .formatter = *formatter,
                      .compression = OutputCompression::by_name,
                      .report = Report::sites,
                      .scope = std::move(scope),
                      .parameters = parameters,
                      .part = part,
                      .label_first = part.has_value()};
  return run_search(o, search, run, reader);
}

}  // namespace

std::function<int()> add_motif_command(CLI::App& app) {
  auto options = std::make_shared<SearchOptions>();
  CLI::App& command = add_command(app, "motif", "Find exact and IUPAC motifs on both strands; write BED or TSV",
                                  kSearchCommands, motif_help());
  begin_group(command, group::kOutput);
  add_format_option(command, options->format, kFormats, "Output format (default: from the output's name, else bed)");
  add_search_options(command, *options, "motif", exact_algorithms());
  return [options] { return run_motif(*options); };
}

}  // namespace basesweep
