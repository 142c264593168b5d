// basesweep pcr: finds the products of primer pairs; writes TSV, BED, GFF3, FASTA, SAM or BAM.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/parts/part_rows.hpp"
#include "lib/products/primer_pairs.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/products/product_rows.hpp"
#include "lib/products/product_sam.hpp"
#include "lib/products/product_table.hpp"
#include "lib/reader/md5.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/compiled_options.hpp"
#include "tools/file_kind.hpp"
#include "tools/pcr_options.hpp"
#include "tools/pcr_run.hpp"
#include "tools/search_part.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

PrimerPair given_pair(const PcrJobOptions& o, LeftOut& left_out) {
  const auto sequence = [&left_out](const char* option, const std::string& written) {
    const std::string letters = given_sequence(option, written, left_out);
    if (letters.find('|') != std::string::npos)
      throw UsageError(fmt::format("{} {}: a primer has one sequence", option, written));
    return letters;
  };
  PrimerPair pair;
  pair.name = "pair";
  pair.forward = sequence("--forward", o.forward);
  pair.reverse = sequence("--reverse", o.reverse);
  pair.probe = sequence("--probe", o.probe);
  pair.forward_name = "forward";
  pair.reverse_name = "reverse";
  return pair;
}

PrimerSet find_primers(const PcrJobOptions& o, std::optional<CompiledSet>& compiled, LeftOut& left_out) {
  std::vector<PrimerPair> pairs;
  if (compiled) return {std::move(compiled->pairs), o.join};
  for (const std::string& path : o.search.pattern_files) {
    for (PrimerPair& pair : read_sequences(path, [&] { return read_primer_pairs(path, o.columns, &left_out); })) {
      pairs.push_back(std::move(pair));
    }
  }
  if (!o.forward.empty()) pairs.push_back(given_pair(o, left_out));
  return {std::move(pairs), o.join};
}

// What the pairs say besides their primers, for the label of parts.
std::string digest_of(const PrimerSet& primers) {
  Md5 md5;
  for (const PrimerPair& pair : primers.pairs()) {
    md5.add(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", pair.name, pair.forward, pair.reverse, pair.probe,
                        pair.min_size.value_or(-1), pair.max_size.value_or(-1),
                        pair.edits ? std::int64_t{*pair.edits} : -1, pair.pool));
  }
  return md5.take();
}

RunParameters parameters(const PcrJobOptions& o, const std::string& output) {
  const auto number = [](const std::optional<std::uint32_t>& n) {
    return n ? ParameterValue(std::int64_t{*n}) : ParameterValue();
  };
  RunParameters all = {{"soft_masked", o.search.skip_soft_masked ? "skip" : "use"}};
  if (o.search.circular.any()) all.emplace_back("circular", circular_word(o.search.circular));
  const RunParameters more = {{"edits", number(o.edits.edits)},
                              {"error_rate", o.edits.rate ? ParameterValue(*o.edits.rate) : ParameterValue()},
                              {"max_mismatches", number(o.edits.max_mismatches)},
                              {"max_indels", number(o.edits.max_indels)},
                              {"max_dna_bulges", number(o.edits.max_dna_bulges)},
                              {"max_rna_bulges", number(o.edits.max_rna_bulges)},
                              {"clamp_5prime", std::int64_t{o.edits.clamp_5prime}},
                              {"clamp_3prime", std::int64_t{o.edits.clamp_3prime}},
                              {"min_size", o.join.min_size},
                              {"max_size", o.join.max_size},
                              {"single", o.join.single ? "yes" : "no"},
                              {"pool", o.join.pool ? "yes" : "no"},
                              {"report", word_of(o.report)},
                              {"sequence", word_of(o.details.part)},
                              {"monovalent", o.details.melting.monovalent_mM},
                              {"divalent", o.details.melting.divalent_mM},
                              {"dntp", o.details.melting.dntp_mM},
                              {"oligo", o.details.melting.oligo_nM},
                              {"output", output},
                              {"max_hits", o.max_products ? ParameterValue(*o.max_products) : ParameterValue()}};
  all.insert(all.end(), more.begin(), more.end());
  if (o.search.with_file) all.emplace_back("with_file", "yes");
  if (o.search.per_file) all.emplace_back("per_file", "yes");
  if (o.table) all.emplace_back("table", "yes");
  return all;
}

// The command line of @PG: the options that affect the result, without those at their default.
std::string canonical_command(const PcrJobOptions& o) {
  std::string line = "basesweep pcr" + limit_words(o.edits);
  const auto add = [&line](const char* option, const auto& value) { line += fmt::format(" {} {}", option, value); };
  if (!o.sizes.empty()) line += fmt::format(" --size {},{}", o.join.min_size, o.join.max_size);
  if (o.join.single) line += " --single";
  if (o.join.pool) line += " --pool";
  if (o.report != ProductReport::all) add("--report", word_of(o.report));
  if (o.search.skip_soft_masked) line += " --soft-masked skip";
  if (o.max_products) add("--max-products", *o.max_products);
  if (o.sam.distinguish) line += " --eqx";
  return line;
}

std::unique_ptr<Formatter> make_formatter(OutputFormat format, const PcrJobOptions& o, const PrimerSet& primers,
                                          const PatternSet& patterns) {
  if (is_aligned(format)) {
    const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
    return make_sam_formatter(make_product_sam(primers, patterns, o.sam.distinguish),
                              {.binary = format == OutputFormat::bam,
                               .program = !o.sam.no_program,
                               .command_line = canonical_command(o),
                               .read_group = o.sam.read_group,
                               .path = input_name(path)});
  }
  const LineOptions lines{shown_columns(o.search), o.search.circular};
  if (o.table) {
    return make_product_table(std::make_shared<ProductTableRows>(primers, o.details.files), format, lines);
  }
  return make_line_formatter(std::make_shared<ProductRows>(primers, patterns, o.details), format, lines);
}

CountedBy counted_by(const SearchJobOptions& o) {
  return {.of = "pair", .by_file = o.per_file, .files = input_names(o.inputs)};
}

// Lists the columns that there may be, of a pair with a probe.
int show_pcr_columns(const PcrJobOptions& o) {
  if (o.search.count) return show_columns(*count_rows(counted_by(o.search)), o.search.shown);
  const PrimerSet primers({{.name = "pair",
                            .forward = "ACGT",
                            .reverse = "ACGT",
                            .forward_name = "forward",
                            .reverse_name = "reverse",
                            .probe = "ACGT"}},
                          {});
  if (o.table) return show_columns(ProductTableRows(primers, {}), o.search.shown);
  const PatternSet patterns(primers.patterns(), StrandChoice::both, PalindromeChoice::both, {.edits = 1});
  return show_columns(ProductRows(primers, patterns, o.details), o.search.shown);
}

// What the label of a part says besides the parameters of the report.
RunParameters part_parameters(RunParameters all, const PcrJobOptions& o, const PrimerSet& primers) {
  all.emplace_back("pairs", digest_of(primers));
  all.emplace_back("rows", only_counts(o) ? "counts" : "products");
  return all;
}

// Throws UsageError where parts cannot give what the options ask for.
void check_parts(const PartSet& parts, const PcrJobOptions& o) {
  if (parameter(parts.head().label, "rows") == "counts" && !only_counts(o)) {
    throw UsageError("the chunks only counted products (--count), so merge cannot choose among them or list them");
  }
}

int run_pcr(PcrJobOptions o, PartSet* parts) {
  Run run("pcr", o.search);
  if (asks_for_columns(o.search.shown)) return show_pcr_columns(o);
  take_inputs(parts, o.search);
  settle(o, parts != nullptr);
  const OutputFormat format = pcr_format(o);
  if (o.search.count) check_count_table(counted_by(o.search), table_form(o.search));
  if (parts != nullptr) check_parts(*parts, o);
  if (parts == nullptr) prepare(o.search.alignments);
  std::optional<CompiledSet> compiled = parts != nullptr ? set_of(*parts) : open_compiled_set(o.search, SetKind::pairs);
  if (compiled) take_options(*compiled, o.search, o.edits);
  LeftOut left_out;
  const PrimerSet primers = find_primers(o, compiled, left_out);
  run.tell_left_out(left_out);
  const PatternSet patterns = with_edits(primers.patterns(), StrandChoice::both, PalindromeChoice::both, o.edits);
  o.search.reach = static_cast<std::uint32_t>(primers.max_size());
  o.details.files = input_names(o.search.inputs);
  Scope scope = parts != nullptr ? scope_of(*parts) : find_scope(o.search, patterns, Report::sites);
  choose_header_records(o.search, format, scope);
  const RunParameters all = parameters(o, word_of(format));
  const std::optional<PartLabel> label = part_label(run.command(), patterns, scope, part_parameters(all, o, primers));
  const PartRows<PlacedProduct> part_rows(o.table || o.search.count ? 0 : need::letters);
  const std::unique_ptr<Formatter> formatter = make_formatter(format, o, primers, patterns);
  if (formatter->needs_records() && (label ? scope.reads.has_value() : parts != nullptr && !scope.records)) {
    throw UsageError(std::string(kNeedsFasta));
  }
  std::unique_ptr<Reader> reader;
  if (parts == nullptr) reader.reset(new Reader(open_reader(o.search, patterns, scope)));
  PcrJob job{.options = o,
             .primers = primers,
             .patterns = patterns,
             .formatter = label ? static_cast<const Formatter&>(part_rows) : *formatter,
             .format = format,
             .scope = std::move(scope),
             .parameters = all,
             .tables = compiled ? &compiled->tables : nullptr};
  if (label) {
    job.part = part_head(o.search, *label, job.scope,
                         print_set({.kind = SetKind::pairs, .options = {o.edits}, .pairs = primers.pairs()}));
  }
  return run_pcr_job(job, run, reader.get(), parts);
}

}  // namespace

Work add_pcr_command(CLI::App& app) {
  auto options = std::make_shared<PcrJobOptions>();
  CLI::App& command =
      add_command(app, "pcr", "Find the products of primer pairs: in-silico PCR", kSearchCommands, pcr_help());
  add_pcr_options(command, *options);
  return [options](PartSet* parts) { return run_pcr(*options, parts); };
}

}  // namespace basesweep
