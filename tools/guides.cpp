// basesweep guides: finds the places of CRISPR guides; writes a table of the guides, and all places.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/guide_rows.hpp"
#include "lib/guides/merge_guides.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/reader/md5.hpp"
#include "lib/writer/part_end.hpp"
#include "tools/commands.hpp"
#include "tools/guides_hits.hpp"
#include "tools/guides_options.hpp"
#include "tools/print.hpp"
#include "tools/search_run.hpp"

namespace basesweep {
namespace {

void tell_of_guides(const GuideSet& guides, const GuidesOptions& o, const Run& run) {
  if (guides.pam_was_in_guides() && o.pam.in_guide == PamInGuide::automatic) {
    run.warn()(fmt::format(
        "each guide {} the PAM {}, which is not taken for a part of it (--pam-in-guide no: it is one)",
        guides.side() == PamSide::five_prime ? "begins with" : "ends in", fmt::join(guides.pams(), " or ")));
  } else if (o.pam.in_guide == PamInGuide::automatic) {
    run.note(fmt::format(
        "not every guide has the PAM {} at its {} end, so none is taken to hold it (--pam-in-guide yes: all do)",
        fmt::join(guides.pams(), " or "), guides.side() == PamSide::five_prime ? "5'" : "3'"));
  }
  const auto without = std::count_if(guides.guides().begin(), guides.guides().end(),
                                     [&](const Guide& guide) { return !is_scored(guides, guide); });
  if (without != 0) {
    run.warn()(fmt::format("{} of {} guides have no scores, which are for 20 bases before the PAM NGG", without,
                           guides.guides().size()));
  }
}

void tell_of_features(const GuideTable& table, const GuideSet& guides, const GuidesOptions& o, const Run& run) {
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
                       {"pam_in_guide", guides.pam_was_in_guides() ? "yes" : "no"},
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

std::unique_ptr<GuideFormatter> make_formatter(const GuidesOptions& o, const GuideSet& guides,
                                               const Annotation* annotation, const std::optional<PartLabel>& part) {
  const OutputFormat format = hits_format(o);
  if (format == OutputFormat::bed) return make_guide_bed(guides);
  if (format == OutputFormat::tsv) return make_guide_tsv(guides, annotation);
  const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
  return make_guide_sam(guides, {.binary = format != OutputFormat::sam,
                                 .distinguish = o.sam.distinguish,
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

// `written`: whether the row of each guide is; null: all are. `part`: its label and its end are written by the caller.
void write_table(const GuideSet& guides, const PatternRows& rows, const GuideTable& table, const Annotation* annotation,
                 const std::vector<bool>* written, bool part, OutputFile& output) {
  const GuideRowForm form{guides.limits().mismatches, guides.limits().max_bulge(), annotation};
  std::string text =
      fmt::format("{}{}\n", fmt::join(rows.header, "\t"), part ? part_columns(form) : guide_columns(form));
  for (std::size_t i = 0; i < guides.guides().size(); ++i) {
    if (written != nullptr && !(*written)[i]) continue;
    text += fmt::format("{}", fmt::join(rows.rows[i], "\t"));
    const bool scored = is_scored(guides, guides.guides()[i]);
    text += part ? part_cells(table.totals(i), scored) : guide_cells(form, table.totals(i), scored);
    text += '\n';
    if (text.size() < (std::size_t{1} << 20)) continue;
    output.write(text);
    text.clear();
  }
  output.write(text);
}

int run_guides(GuidesOptions o) {
  Run run("guides", o.search);
  settle(o);
  format_of_name(o.search.output, std::array{OutputFormat::tsv});
  if (o.hits.empty() || hits_format(o) != OutputFormat::cram) prepare(o.search.alignments);
  std::optional<Annotation> annotation;
  if (!o.annotation.empty()) annotation = Annotation::read(o.annotation, o.annotated);
  const Annotation* const features = annotation ? &*annotation : nullptr;
  Design design;
  if (o.design.on) {
    design = design_guides(o, run, pipeline_options(o, run, {}));
    o.search.regions = {};  // places count everywhere
    o.pam.in_guide = PamInGuide::no;
  } else {
    LeftOut left_out;
    design.guides = collect_patterns(o.search, left_out, &design.rows);
    run.tell_left_out(left_out);
  }
  const PatternRows& rows = design.rows;
  const GuideSet guides(design.guides, o.pam, o.limits);
  tell_of_guides(guides, o, run);
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
    if (written != kGuideTablePart) {
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
                                 .log = run.say()});
  run.say()(
      fmt::format("finding {} guides with {}, {} threads", guides.guides().size(), finder->describe(), run.threads()));
  OutputFile output(o.search.output, run.threads());
  std::optional<GuideHitsFile> hits;
  std::unique_ptr<GuideFormatter> formatter;
  GuideOutput to;
  const std::optional<PartLabel> table_part = label_of(std::string(kGuideTablePart));
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
  if (features != nullptr && summary.places != 0) tell_of_features(table, guides, o, run);
  std::optional<std::vector<bool>> best;
  if (o.design.top) best = best_of_regions(design.regions, table, *o.design.top);
  write_table(guides, rows, table, features, best ? &*best : nullptr, table_part.has_value(), output);
  if (table_part) {
    output.write(PartEnd(EndForm::line).print(summary.places));
    if (hits) hits->write(PartEnd(end_form(hits_format(o))).print(summary.rows));
  }

  RunReport report;
  report.parameters = parameters(o, guides);
  report.matcher = finder->describe();
  report.batches = finder->batches();
  report.part = table_part;
  run.commit(
      std::move(report), [&](const RunReport& whole) { return json_report(whole, guides, table, summary); },
      [&] {
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

std::function<int()> add_guides_command(CLI::App& app) {
  auto options = std::make_shared<GuidesOptions>();
  CLI::App& command = add_command(app, "guides", "Find the off-targets of CRISPR guides; write a table and all places",
                                  kSearchCommands, guides_help());
  add_guides_options(command, *options);
  return [options] { return run_guides(*options); };
}

}  // namespace basesweep
