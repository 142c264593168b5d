// basesweep motif: exact and IUPAC motifs to BED or TSV.
#include "tools/commands.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

enum class MotifFormat { bed, tsv };

struct MotifOptions {
  SearchOptions search;
  MotifFormat format = MotifFormat::bed;
};

constexpr const char* kExamples = R"(
Examples:
  basesweep motif -p GAATTC genome.fa.gz -o ecori.bed
  basesweep motif -f motifs.fa genome.fa -o hits.bed.gz -t 8
  basesweep motif -p GANTC --count genome.fa          hits per pattern and strand
  zcat reads.fq.gz | basesweep motif -p AGATCGGAAGAGC --format tsv

Output, 0-based half-open, sorted by record, start, end, strand, pattern:
  bed  record, start, end, pattern, score (1000), strand
  tsv  record, start, end, pattern, strand, matched text

Exit codes: 0 done, with hits or without; 1 failure; 2 usage; 3 bad input data; 4 cannot read or write; 75 no usable GPU.)";

int run_motif(MotifOptions o) {
  const auto begin = std::chrono::steady_clock::now();
  check_search_options(o.search, "motif");
  const PatternSet patterns(collect_patterns(o.search), o.search.strand, o.search.palindromes);
  const bool bed = o.format == MotifFormat::bed || o.search.count;
  const char* const output = o.search.count ? "count" : bed ? "bed" : "tsv";
  Scope scope = find_scope(o.search, patterns, Report::sites);
  const RunParameters parameters = search_parameters(o.search, {{"output", output}});
  const std::optional<PartLabel> part = part_label("motif", patterns, scope, parameters);
  const MergeColumns more = merge_columns(o.search, patterns, part);
  const std::unique_ptr<Formatter> formatter =
      bed ? make_bed_formatter(patterns, more) : make_tsv_formatter(patterns, more);
  Reader reader = open_reader(o.search, patterns, scope);
  const Search search{.command = "motif",
                      .begin = begin,
                      .patterns = patterns,
                      .formatter = *formatter,
                      .compression = OutputCompression::by_name,
                      .report = Report::sites,
                      .scope = std::move(scope),
                      .parameters = parameters,
                      .part = part,
                      .label_first = part.has_value()};
  return run_search(o.search, search, reader);
}

}  // namespace

std::function<int()> add_motif_command(CLI::App& app) {
  auto options = std::make_shared<MotifOptions>();
  CLI::App& command = *app.add_subcommand("motif", "Find exact and IUPAC motifs on both strands; write BED or TSV");
  command.footer(kExamples);
  add_search_options(command, options->search, "motif", exact_algorithms());
  add_choice<MotifFormat>(command, "--format", options->format, {{"bed", MotifFormat::bed}, {"tsv", MotifFormat::tsv}},
                          "What to write for a hit (default: bed)");
  return [options] { return run_motif(*options); };
}

}  // namespace basesweep
