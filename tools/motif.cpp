// basesweep motif: finds exact and IUPAC motifs, writes BED, TSV, GFF3 or FASTA.
#include <fmt/format.h>

#include <array>

#include "lib/base/stream_names.hpp"
#include "lib/pipeline/part_hits.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/compiled_options.hpp"
#include "tools/help.hpp"
#include "tools/part_output.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

std::vector<OutputFormat> formats() {
  return with_tables({OutputFormat::bed, OutputFormat::tsv, OutputFormat::gff3, OutputFormat::fasta});
}

// Stands for what the command searches for, in its help.
PatternSet example_set() { return {{{"motif", "A"}}, StrandChoice::both, PalindromeChoice::once}; }

Help motif_help() {
  const PatternSet example = example_set();
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
             table_term(HitRows(example)),
             {"gff3", "a feature per hit, its motif as Name; 1-based"},
             {"fasta", "the matched text as the hit's strand reads it; record:start-end(strand) as its name"},
             {"--count", "motif, strand, count; with a header line"}}},
           circular_help()},
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

CountedBy counted_by(const SearchJobOptions& o) { return {.by_file = o.per_file, .files = input_names(o.inputs)}; }

int run_motif(SearchJobOptions o, PartSet* parts) {
  Run run("motif", o);
  if (asks_for_columns(o.shown)) {
    if (o.count) return show_columns(*count_rows(counted_by(o)), o.shown);
    const PatternSet example = example_set();
    return show_columns(HitRows(example, row_options(o)), o.shown);
  }
  take_inputs(parts, o);
  check_search_options(o, "motif");
  const OutputFormat format = output_format(o, formats()).value_or(OutputFormat::bed);
  check_details(o, format);
  if (o.count) check_count_table(counted_by(o), table_form(o));
  if (parts == nullptr) prepare(o.alignments);
  std::optional<CompiledSet> compiled = parts != nullptr ? set_of(*parts) : open_compiled_set(o, SetKind::exact);
  if (compiled) take_options(*compiled, o);
  LeftOut left_out;
  const PatternSet patterns(compiled ? std::move(compiled->patterns) : collect_patterns(o, left_out), o.strand,
                            o.palindromes);
  run.tell_left_out(left_out);
  if (parts == nullptr) warn_of_limits(patterns, run.warn());
  Scope scope = parts != nullptr ? scope_of(*parts) : find_scope(o, patterns, Report::sites);
  const RunParameters parameters = search_parameters(o, {{"output", word_of(format)}});
  const std::optional<PartLabel> label =
      part_label(run.command(), patterns, scope, part_parameters(parameters, o, Report::sites));
  choose_header_records(o, format, scope);
  const std::unique_ptr<Formatter> formatter =
      make_hit_formatter(patterns, format, row_options(o), {shown_columns(o), o.circular});
  const PartRows<PlacedHit> part_rows(needs_of_part(patterns, o.flank), o.flank);
  std::unique_ptr<FileSource> reader;
  if (parts == nullptr) reader = open_source(o, patterns, scope);
  Search search{.patterns = patterns,
                .formatter = label ? static_cast<const Formatter&>(part_rows) : *formatter,
                .format = format,
                .scope = std::move(scope),
                .parameters = parameters,
                .tables = compiled ? &compiled->tables : nullptr};
  if (label) {
    search.part = part_head(o, *label, search.scope,
                            print_set({SetKind::exact, {{}, o.strand, o.palindromes}, patterns.patterns()}));
  }
  return run_search(o, search, run, reader.get(), parts);
}

}  // namespace

Work add_motif_command(CLI::App& app) {
  auto options = std::make_shared<SearchJobOptions>();
  CLI::App& command = add_command(app, "motif", "Find exact and IUPAC motifs; write BED, TSV, GFF3 or FASTA",
                                  kSearchCommands, motif_help());
  begin_group(command, group::kOutput);
  add_format_option(command, options->format, formats(), "Output format (default: from the output's name, else bed)");
  add_search_options(command, *options, "motif", exact_algorithms());
  return [options](PartSet* parts) { return run_motif(*options, parts); };
}

}  // namespace basesweep
