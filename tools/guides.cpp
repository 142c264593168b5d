// basesweep guides: finds the places of CRISPR guides; writes a table of the guides, and all places.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/guide_rows.hpp"
#include "lib/guides/guide_sam.hpp"
#include "lib/guides/held_pam.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/reader/md5.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/guides_hits.hpp"
#include "tools/guides_input.hpp"
#include "tools/guides_options.hpp"
#include "tools/print.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

void warn_of_missing_scores(const GuideSet& guides, const Run& run) {
  const auto without = std::count_if(guides.guides().begin(), guides.guides().end(),
                                     [&](const Guide& guide) { return !is_scored(guides, guide); });
  if (without == 0) return;
  run.warn()(fmt::format("{} of {} guides {} no scores: MIT and CFD need 20 bases before NGG", without,
                         guides.guides().size(), without == 1 ? "has" : "have"));
}

void warn_of_missing_copies(const GuideTable& table, const GuideSet& guides, const Run& run, bool regions) {
  const std::uint64_t without = table.without_exact_copy();
  if (without == 0) return;
  run.warn()(print_without_copy(without, guides.guides().size(), regions ? "these regions" : "this input"));
}

void warn_of_missing_features(const GuideTable& table, const GuideSet& guides, const GuidesOptions& o, const Run& run) {
  for (std::size_t i = 0; i < guides.guides().size(); ++i) {
    for (const std::uint64_t count : table.totals(i).features) {
      if (count != 0) return;
    }
  }
  run.warn()(
      fmt::format("no place overlaps a feature of {} (are its records named as those of the input?)", o.annotation));
}

RunParameters parameters(const GuidesOptions& o, const GuideSet& guides) {
  RunParameters all = {{"soft_masked", o.search.skip_soft_masked ? "skip" : "use"},
                       {"pam", fmt::format("{}", fmt::join(guides.pams(), ","))},
                       {"pam_side", word_of(guides.side())},
                       {"pam_in_guide", guides.held_pam() != HeldPam::nothing ? "yes" : "no"},
                       {"mismatches", std::int64_t{o.limits.mismatches}},
                       {"max_dna_bulges", std::int64_t{o.limits.dna_bulges}},
                       {"max_rna_bulges", std::int64_t{o.limits.rna_bulges}},
                       {"seed", std::int64_t{o.limits.seed}},
                       {"seed_mismatches", std::int64_t{o.limits.seed_mismatches}}};
  const RunParameters design = design_parameters(o.design);
  all.insert(all.end(), design.begin(), design.end());
  if (!o.annotation.empty())
    all.emplace_back("annotated", o.annotated.empty() ? "all" : fmt::format("{}", fmt::join(o.annotated, ",")));
  return all;
}

// The command line of @PG: the options that affect the places, without those at their default.
std::string canonical_command(const GuidesOptions& o, const GuideSet& guides) {
  std::string line = fmt::format("basesweep guides --pam {} -m {}", fmt::join(guides.pams(), ","), o.limits.mismatches);
  const auto add = [&line](const char* option, const auto& value) { line += fmt::format(" {} {}", option, value); };
  if (guides.side() != PamSide::three_prime) add("--pam-side", word_of(guides.side()));
  if (o.limits.dna_bulges != 0) add("--max-dna-bulges", o.limits.dna_bulges);
  if (o.limits.rna_bulges != 0) add("--max-rna-bulges", o.limits.rna_bulges);
  if (o.limits.seed != 0) add("--seed", o.limits.seed);
  if (o.limits.seed_mismatches != 0) add("--seed-mismatches", o.limits.seed_mismatches);
  if (o.search.skip_soft_masked) line += " --soft-masked skip";
  if (rows_of_hits(o) == GuideRowOf::bulge) line += " --hits-all";
  if (o.sam.distinguish) line += " --eqx";
  return line;
}

std::unique_ptr<Formatter> make_formatter(const GuidesOptions& o, const GuideSet& guides, const Annotation* annotation,
                                          const std::optional<PartLabel>& part) {
  const OutputFormat format = hits_format(o);
  if (!hits_are_aligned(o)) {
    return make_line_formatter(std::make_shared<PlaceRows>(guides, input_names(o.search.inputs), annotation), format,
                               {.columns = o.search.shown});
  }
  const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
  return make_sam_formatter(make_guide_sam(guides, o.sam.distinguish), {.binary = format != OutputFormat::sam,
                                                                        .program = !o.sam.no_program,
                                                                        .command_line = canonical_command(o, guides),
                                                                        .read_group = o.sam.read_group,
                                                                        .comment = part ? print_part(*part) : "",
                                                                        .path = input_name(path)});
}

// What the guides are, for the label of parts.
std::string digest_of(const GuideSet& guides, const PatternRows& rows) {
  Md5 md5;
  for (std::size_t i = 0; i < guides.guides().size(); ++i) {
    md5.add(fmt::format("{}\t{}\n", guides.guides()[i].letters, fmt::join(rows.rows[i], "\t")));
  }
  return md5.take();
}

GuidePipelineOptions pipeline_options(const GuidesOptions& o, const Run& run, const Scope& scope) {
  GuidePipelineOptions pipeline;
  pipeline.packer.soft_masked = o.search.skip_soft_masked;
  pipeline.threads = run.threads();
  pipeline.batch_positions = o.search.batch_positions;
  if (scope.reads) pipeline.first_record = scope.reads->begin;
  pipeline.regions = scope.regions ? &*scope.regions : nullptr;
  pipeline.warn = run.warn();
  return pipeline;
}

// The rows of the table to write. Its label and its end are written by the caller, where it is a part.
struct TableRows {
  const PatternRows& input;          // columns of the input, for each guide
  const Annotation* annotation;      // null: none
  const std::vector<TopGuide>* top;  // the guides that have a row; null: all, in their order
  bool regions;                      // with `top`: of regions, which have a column
  bool part;
};

void write_table(const GuideSet& guides, const GuideTable& table, const TableRows& rows, OutputFormat format,
                 OutputFile& output) {
  const GuideRowForm form{guides.limits().mismatches, guides.limits().max_bulge(), rows.annotation, rows.input.header,
                          rows.regions};
  const auto formatter = make_line_formatter(std::make_shared<GuideTableRows>(form), format);
  RowText text;
  text.append(rows.part ? std::string() : formatter->header({}));
  const auto add_row = [&](std::size_t guide, std::string_view region) {
    const std::string input = fmt::format("{}", fmt::join(rows.input.rows[guide], "\t"));
    const GuideTotals& totals = table.totals(guide);
    const bool scored = is_scored(guides, guides.guides()[guide]);
    if (rows.part) {
      text.append(input);
    } else {
      formatter->append(GuideTableRow{{}, input, &totals, scored, region}, text);
    }
    if (text.view().size() < (std::size_t{1} << 20)) return;
    output.write(text.view());
    text = RowText();
  };
  if (rows.top == nullptr) {
    for (std::size_t i = 0; i < guides.guides().size(); ++i) add_row(i, "");
  } else {
    for (const TopGuide& top : *rows.top) add_row(top.guide, top.group->name);
  }
  output.write(text.view());
}

int run_guides(GuidesOptions o, PartSet* parts) {
  if (parts != nullptr || !o.search.chunk.chunk.empty()) throw UsageError("parts of guides: not yet");
  Run run("guides", o.search);
  if (asks_for_columns(o.search.shown)) {
    const GuideSet example({{"guide", std::string(20, 'A')}}, {{"NGG"}, PamSide::three_prime, PamInGuide::no}, {});
    return show_columns(PlaceRows(example), o.search.shown);
  }
  settle(o);
  const OutputFormat format = table_format(o);
  if (o.hits.empty() || hits_format(o) != OutputFormat::cram) prepare(o.search.alignments);
  std::optional<Annotation> annotation;
  if (!o.annotation.empty()) annotation = Annotation::read(o.annotation, o.annotated);
  const Annotation* const features = annotation ? &*annotation : nullptr;
  GivenGuides given;
  std::vector<GuideGroup> groups;  // of designed guides
  const bool of_regions = o.design.top && o.search.regions.any();
  if (o.design.on) {
    Design design = design_guides(o, run, pipeline_options(o, run, {}));
    given = {std::move(design.guides), std::move(design.rows)};
    groups = std::move(design.groups);
    o.search.regions = {};  // places count everywhere
    o.pam.in_guide = PamInGuide::no;
  } else {
    given = read_given_guides(o, run);
  }
  const PatternRows& rows = given.rows;
  const GuideSet guides(given.guides, o.pam, o.limits, given.repeats);
  if (!o.design.on && !o.search.is_given("--pam-in-guide")) run.note(print_held_pam(guides));
  warn_of_missing_scores(guides, run);
  const PatternSet patterns = reaching(guides);
  Scope scope = find_scope(o.search, patterns, Report::sites);
  if (hits_are_aligned(o)) choose_header_records(o.search, hits_format(o), scope);
  Reader reader = open_reader(o.search, patterns, scope);
  reader.open_first();
  if (o.search.regions.any()) refuse_regions(reader.sources());
  check_unit(scope, reader);
  run.say_compression(reader.sources());
  const auto label_of = [&](const std::string& written) {
    RunParameters of_part = parameters(o, guides);
    of_part.emplace_back("guides", digest_of(guides, rows));
    of_part.emplace_back("output", written);
    if (written != "guides") {
      if (hits_are_aligned(o)) of_part.emplace_back("eqx", o.sam.distinguish ? "yes" : "no");
      of_part.emplace_back("rows", rows_of_hits(o) == GuideRowOf::bulge ? "bulges" : "places");
    }
    return part_label(run.command(), patterns, scope, of_part);
  };
  const DeviceChoice device = device_of(o.search.device);
  const std::unique_ptr<GuideFinder> finder =
      make_guide_finder(guides, {.device = device.device,
                                 .gpus = device.gpus,
                                 .expected_bases = scope.bases ? scope.bases : reader.expected_bases(),
                                 .threads = run.threads(),
                                 .log = run.choose()});
  run.say()(
      fmt::format("finding {} guides with {}, {} threads", guides.guides().size(), finder->describe(), run.threads()));
  OutputFile output(o.search.output, run.threads());
  std::optional<GuideHitsFile> hits;
  std::unique_ptr<Formatter> formatter;
  GuideOutput to;
  const std::optional<PartLabel> table_part = label_of("guides");
  const std::optional<PartLabel> hits_part = label_of(o.hits.empty() ? "" : word_of(hits_format(o)));
  if (!o.hits.empty()) {
    formatter = make_formatter(o, guides, features, hits_part);
    hits.emplace(o, run.threads());
    to = {formatter.get(), &*hits, scope.records, spool_directory(o.hits), rows_of_hits(o)};
  }
  run.open_report();
  if (table_part) output.write("#" + print_part(*table_part) + "\n");
  if (hits && hits_part && !hits_are_aligned(o)) hits->write("#" + print_part(*hits_part) + "\n");
  GuideTable table(guides, features);
  GuidePipelineOptions pipeline = pipeline_options(o, run, scope);
  pipeline.annotation = features;
  pipeline.progress = &run.start_progress(reader);
  const GuideSummary summary = run_guide_pipeline(pipeline, reader, guides, *finder, table, to);
  run.stop_progress();
  run.say_batches(finder->batches());
  if (features != nullptr && summary.places != 0) warn_of_missing_features(table, guides, o, run);
  if (!table_part) warn_of_missing_copies(table, guides, run, o.search.regions.any());
  std::optional<std::vector<TopGuide>> top;
  if (o.design.top) top = best_of_groups(groups, table, *o.design.top);
  write_table(guides, table, {rows, features, top ? &*top : nullptr, of_regions, table_part.has_value()}, format,
              output);

  RunReport report;
  report.parameters = with_limits(parameters(o, guides), {"gc", "max_poly_t", "top"});
  report.matcher = finder->describe();
  report.batches = finder->batches();
  report.part = table_part;
  run.commit(
      std::move(report), {{"--output", o.search.output}, {"--hits", o.hits}},
      [&](const RunReport& whole) { return json_report(whole, guides, table, summary); },
      [&](const RunReport&) {
        output.finish();  // all files are on the disk before any gets its name
        if (hits) hits->finish();
        output.commit();
        if (hits) hits->commit();
      });
  std::int64_t bases = 0;
  for (const SourceCounts& counts : summary.source_counts) bases += counts.bases;
  run.summarize(inputs_read(o.search.inputs.size(), static_cast<std::uint64_t>(bases)),
                counted(summary.places, "place"), summary.places == 0 && !table_part);
  return 0;
}

}  // namespace

Work add_guides_command(CLI::App& app) {
  auto options = std::make_shared<GuidesOptions>();
  CLI::App& command = add_command(app, "guides", "Find the off-targets of CRISPR guides; write a table and all places",
                                  kSearchCommands, guides_help());
  add_guides_options(command, *options);
  return [options](PartSet* parts) { return run_guides(*options, parts); };
}

}  // namespace basesweep
