// basesweep pcr: finds the products of primer pairs; writes TSV, BED, GFF3, FASTA, SAM or BAM.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/product_pipeline.hpp"
#include "lib/products/primer_pairs.hpp"
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
#include "tools/print.hpp"
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
                                          const PatternSet& patterns, const std::optional<PartLabel>& part) {
  if (format == OutputFormat::sam || format == OutputFormat::bam) {
    const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
    return make_sam_formatter(make_product_sam(primers, patterns, o.sam.distinguish),
                              {.binary = format == OutputFormat::bam,
                               .program = !o.sam.no_program,
                               .command_line = canonical_command(o),
                               .read_group = o.sam.read_group,
                               .comment = part ? print_part(*part) : "",
                               .path = input_name(path)});
  }
  const LineOptions lines{shown_columns(o.search), o.search.circular};
  if (o.table) {
    return make_product_table(std::make_shared<ProductTableRows>(primers, o.details.files), format, lines);
  }
  return make_line_formatter(std::make_shared<ProductRows>(primers, patterns, o.details), format, lines);
}

MatcherOptions matcher_options(const PcrJobOptions& o, const Run& run, const Scope& scope, Reader& reader,
                               const StoredTables* tables) {
  DeviceChoice device = device_of(o.search.device);
  MatcherOptions matching;
  matching.algorithm = o.search.algorithm;
  matching.device = device.device;
  matching.gpus = std::move(device.gpus);
  matching.expected_bases = scope.bases ? scope.bases : reader.expected_bases();
  matching.threads = run.threads();
  matching.table_bytes = o.search.table_bytes;
  matching.tables = tables;
  matching.log = run.choose();
  return matching;
}

ProductPipelineOptions pipeline_options(const PcrJobOptions& o, const Run& run, const Scope& scope) {
  ProductPipelineOptions pipeline;
  pipeline.packer.soft_masked = o.search.skip_soft_masked;
  pipeline.report = o.report;
  pipeline.max_products = o.max_products;
  pipeline.by_source = o.search.per_file;
  pipeline.threads = run.threads();
  pipeline.batch_positions = o.search.batch_positions;
  if (scope.reads) pipeline.first_record = scope.reads->begin;
  pipeline.regions = scope.regions ? &*scope.regions : nullptr;
  pipeline.circular = o.search.circular;
  pipeline.circular_known = scope.circular_known;
  pipeline.warn = run.warn();
  pipeline.find_turned = !scope.chunk;  // a chunk does not see the products of the others
  return pipeline;
}

int run_pcr(PcrJobOptions o, PartSet* parts) {
  if (parts != nullptr || !o.search.chunk.chunk.empty()) throw UsageError("parts of pcr: not yet");
  Run run("pcr", o.search);
  settle(o);
  const OutputFormat format = pcr_format(o);
  const bool aligned = format == OutputFormat::sam || format == OutputFormat::bam;
  prepare(o.search.alignments);
  std::optional<CompiledSet> compiled = open_compiled_set(o.search, SetKind::pairs);
  if (compiled) take_options(*compiled, o.search, o.edits);
  LeftOut left_out;
  const PrimerSet primers = find_primers(o, compiled, left_out);
  run.tell_left_out(left_out);
  const PatternSet patterns = with_edits(primers.patterns(), StrandChoice::both, PalindromeChoice::both, o.edits);
  o.search.reach = static_cast<std::uint32_t>(primers.max_size());
  Scope scope = find_scope(o.search, patterns, Report::sites);
  choose_header_records(o.search, format, scope);
  Reader reader = open_reader(o.search, patterns, scope);
  o.details.files = input_names(o.search.inputs);
  const RunParameters all = parameters(o, word_of(format));
  RunParameters of_part = all;
  if (aligned) of_part.emplace_back("eqx", o.sam.distinguish ? "yes" : "no");
  of_part.emplace_back("pairs", digest_of(primers));
  const std::optional<PartLabel> part = part_label(run.command(), patterns, scope, of_part);
  const std::unique_ptr<Formatter> formatter = make_formatter(format, o, primers, patterns, part);

  reader.open_first();
  if (o.search.regions.any()) refuse_regions(reader.sources());
  check_unit(scope, reader);
  run.say_compression(reader.sources());
  const std::unique_ptr<Matcher> matcher =
      make_matcher(patterns, matcher_options(o, run, scope, reader, compiled ? &compiled->tables : nullptr));
  run.say()(fmt::format("matching the primers of {} pairs with {}, {} threads", primers.pairs().size(),
                        matcher->describe(), run.threads()));
  OutputFile output(o.search.output, run.threads(),
                    format == OutputFormat::bam ? OutputCompression::bgzf : OutputCompression::by_name);
  run.open_report();
  if (part && !aligned) output.write("#" + print_part(*part) + "\n");
  ProductOutput to;
  if (!o.search.count) {
    to.formatter = formatter.get();
    to.sink = &output;
    to.records = scope.records;
    to.names = formatter->names();
  }
  to.spool_directory = spool_directory(o.search.output);
  ProductPipelineOptions pipeline = pipeline_options(o, run, scope);
  pipeline.expected_bases = scope.bases ? scope.bases : reader.expected_bases();
  pipeline.progress = &run.start_progress(reader);
  const ProductSummary summary = run_product_pipeline(pipeline, reader, primers, patterns, *matcher, to);
  run.stop_progress();
  run.say_batches(matcher->batches());
  if (o.search.count) {
    output.write(product_table(primers, summary,
                               o.search.per_file ? input_names(o.search.inputs) : std::vector<std::string>(),
                               table_form(o.search)));
  }

  RunReport report;
  report.parameters = all;
  for (const auto& [key, column] : {std::pair("name_column", o.columns.name),
                                    {"forward_column", o.columns.forward},
                                    {"reverse_column", o.columns.reverse}}) {
    if (!column.empty()) report.parameters.emplace_back(key, column);
  }
  report.matcher = matcher->describe();
  report.batches = matcher->batches();
  report.part = part;
  run.commit(
      std::move(report), {{"--output", o.search.output}},
      [&](const RunReport& whole) { return json_report(whole, primers, summary); },
      [&](const RunReport&) { output.commit(); });
  if (summary.truncated) {
    run.warn()(fmt::format("stopped after {} products (--max-products); there are more", summary.products));
  }
  std::int64_t bases = 0;
  for (const SourceCounts& counts : summary.source_counts) bases += counts.bases;
  run.summarize(inputs_read(o.search.inputs.size(), static_cast<std::uint64_t>(bases)),
                counted(summary.products, "product"), summary.products == 0 && !part);
  return 0;
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
