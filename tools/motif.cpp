// basesweep motif: finds exact and IUPAC motifs, writes BED or TSV.
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

enum class MotifFormat { bed, tsv };

struct MotifOptions {
  SearchOptions search;
  MotifFormat format = MotifFormat::bed;
};

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
             "the "
             "forward strand. With --count: one line per motif and strand."},
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
      .see_also = {"match", "map", "plan", "merge"}};
}

int run_motif(MotifOptions o) {
  Run run("motif", o.search);
  check_search_options(o.search, "motif");
  const PatternSet patterns(collect_patterns(o.search), o.search.strand, o.search.palindromes);
  const bool bed = o.format == MotifFormat::bed || o.search.count;
  const char* const output = o.search.count ? "count" : bed ? "bed" : "tsv";
  Scope scope = find_scope(o.search, patterns, Report::sites);
  const RunParameters parameters = search_parameters(o.search, {{"output", output}});
  const std::optional<PartLabel> part = part_label(run.command(), patterns, scope, parameters);
  const MergeColumns more = merge_columns(o.search, patterns, part);
  const std::unique_ptr<Formatter> formatter =
      bed ? make_bed_formatter(patterns, more) : make_tsv_formatter(patterns, more);
  Reader reader = open_reader(o.search, patterns, scope);
  const Search search{.patterns = patterns,
                      .formatter = *formatter,
                      .compression = OutputCompression::by_name,
                      .report = Report::sites,
                      .scope = std::move(scope),
                      .parameters = parameters,
                      .part = part,
                      .label_first = part.has_value()};
  return run_search(o.search, search, run, reader);
}

}  // namespace

std::function<int()> add_motif_command(CLI::App& app) {
  auto options = std::make_shared<MotifOptions>();
  CLI::App& command = add_command(app, "motif", "Find exact and IUPAC motifs on both strands; write BED or TSV",
                                  kSearchCommands, motif_help());
  begin_group(command, group::kOutput);
  add_choice<MotifFormat>(command, "--format", options->format, {{"bed", MotifFormat::bed}, {"tsv", MotifFormat::tsv}},
                          "Output format (default: bed)");
  add_search_options(command, options->search, "motif", exact_algorithms());
  return [options] { return run_motif(*options); };
}

}  // namespace basesweep
