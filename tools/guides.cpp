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
#include "lib/guides/place_codec.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/pipeline/guide_totals.hpp"
#include "lib/pipeline/part_places.hpp"
#include "lib/reader/md5.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/guides_hits.hpp"
#include "tools/guides_input.hpp"
#include "tools/guides_options.hpp"
#include "tools/guides_parts.hpp"
#include "tools/part_output.hpp"
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

std::unique_ptr<Formatter> make_formatter(const GuidesOptions& o, const GuideSet& guides,
                                          const Annotation* annotation) {
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

// The guides of a run, and how their table is made.
struct Library {
  GivenGuides given;
  std::vector<GuideGroup> groups{};  // of designed guides
  bool has_regions = false;          // the table has a column for them
};

Library find_library(GuidesOptions& o, Run& run, const PartSet* parts) {
  if (parts != nullptr) return {guides_of(*parts, o)};
  if (!o.design.on) return {read_given_guides(o, run)};
  Library library;
  library.has_regions = o.design.top && o.search.regions.any();
  Design design = design_guides(o, run, pipeline_options(o, run, {}));
  library.given = {std::move(design.guides), std::move(design.rows)};
  library.groups = std::move(design.groups);
  o.search.regions = {};  // places count everywhere
  o.pam.in_guide = PamInGuide::no;
  return library;
}

void write_table(const GuidesOptions& o, const GuideSet& guides, const Library& library, const Annotation* annotation,
                 const GuideTable& table, OutputFile& output) {
  const PatternRows& input = library.given.rows;
  GuideRowForm form{guides.limits().mismatches, guides.limits().max_bulge(), annotation, {}, library.has_regions};
  if (o.design.on) {
    form.input = design_columns();
  } else {
    for (const std::string& name : input.header) form.input.push_back({name});
  }
  const auto formatter = make_line_formatter(std::make_shared<GuideTableRows>(form), table_format(o));
  RowText text;
  text.append(formatter->header({}));
  const auto add_row = [&](std::size_t guide, std::string_view region) {
    const std::string cells = fmt::format("{}", fmt::join(input.rows[guide], "\t"));
    const bool scored = is_scored(guides, guides.guides()[guide]);
    formatter->append(GuideTableRow{{}, cells, &table.totals(guide), scored, region}, text);
    if (text.view().size() < (std::size_t{1} << 20)) return;
    output.write(text.view());
    text = RowText();
  };
  if (o.design.top) {
    for (const TopGuide& top : best_of_groups(library.groups, table, *o.design.top))
      add_row(top.guide, top.group->name);
  } else {
    for (std::size_t i = 0; i < guides.guides().size(); ++i) add_row(i, "");
  }
  output.write(text.view());
}

// What a part says of its rows, for its label.
const char* kind_of_rows(const GuidesOptions& o) {
  return o.hits.empty() ? "none" : rows_of_hits(o) == GuideRowOf::bulge ? "bulges" : "places";
}

std::optional<PartHead> part_of(const GuidesOptions& o, const Run& run, const GuideSet& guides, const Library& library,
                                const PatternSet& patterns, const Scope& scope) {
  RunParameters of_part = parameters(o, guides);
  of_part.emplace_back("guides", digest_of(guides, library.given.rows));
  of_part.emplace_back("rows", kind_of_rows(o));
  const std::optional<PartLabel> label = part_label(run.command(), patterns, scope, of_part);
  if (!label) return std::nullopt;
  return part_head(o.search, *label, scope, print_guides(library.given, o));
}

// All files of a run, which appear together. A part has both the totals and the places.
class Outputs {
 public:
  Outputs(const GuidesOptions& o, Run& run, const GuideSet& guides, const Annotation* annotation,
          const std::optional<PartHead>& part)
      : options_(o),
        output_(o.search.output, run.compression(), part ? OutputCompression::binary : OutputCompression::by_name) {
    if (!o.hits.empty()) {
      formatter_ = make_formatter(o, guides, annotation);  // of a chunk too, since this refuses unknown columns
      if (part) {
        formatter_ = std::make_unique<PartRows<PlacedGuide>>(need::letters | need::scores);
      } else {
        hits_.emplace(o, run.compression());
      }
    }
    run.open_report();
    if (part) part_.emplace(output_, *part);
  }

  OutputFile& table() { return output_; }
  PartOutput* part() { return part_ ? &*part_ : nullptr; }
  // `records`: that a header lists.
  GuideOutput places(std::optional<std::vector<RecordInfo>> records) {
    if (!formatter_) return {};
    if (part_) return {formatter_.get(), &part_->rows(), std::nullopt, "", rows_of_hits(options_)};
    return {formatter_.get(), &*hits_, std::move(records), spool_directory(options_.hits), rows_of_hits(options_)};
  }
  void commit() {
    output_.finish();  // all files are on the disk before any gets its name
    if (hits_) hits_->finish();
    output_.commit();
    if (hits_) hits_->commit();
  }

 private:
  const GuidesOptions& options_;
  OutputFile output_;
  std::unique_ptr<Formatter> formatter_;  // null: places are not written
  std::optional<GuideHitsFile> hits_;
  std::optional<PartOutput> part_;
};

// What a run found, apart from its table.
struct Found {
  GuideSummary summary;
  std::string matcher{};
  std::vector<DeviceBatches> batches{};
  std::optional<Summaries> summaries{};  // of parts
};

std::unique_ptr<Reader> open_text(const GuidesOptions& o, const PatternSet& patterns, const Scope& scope,
                                  const Run& run) {
  std::unique_ptr<Reader> reader(new Reader(open_reader(o.search, patterns, scope)));
  reader->open_first();
  if (o.search.regions.any()) refuse_regions(reader->sources());
  check_unit(scope, *reader);
  run.say_compression(reader->sources());
  return reader;
}

std::unique_ptr<GuideFinder> choose_finder(const GuidesOptions& o, const Run& run, const GuideSet& guides,
                                           const Scope& scope, const Reader& reader) {
  const DeviceChoice device = device_of(o.search.device);
  std::unique_ptr<GuideFinder> finder =
      make_guide_finder(guides, {.device = device.device,
                                 .gpus = device.gpus,
                                 .expected_bases = scope.bases ? scope.bases : reader.expected_bases(),
                                 .threads = run.threads(),
                                 .log = run.choose()});
  run.say()(
      fmt::format("finding {} guides with {}, {} threads", guides.guides().size(), finder->describe(), run.threads()));
  return finder;
}

Found search_text(const GuidePipelineOptions& options, Run& run, Reader& reader, const GuideSet& guides,
                  const GuideFinder& finder, GuideTable& table, const GuideOutput& to) {
  GuidePipelineOptions pipeline = options;
  pipeline.progress = &run.start_progress(reader);
  Found found{run_guide_pipeline(pipeline, reader, guides, finder, table, to), finder.describe(), finder.batches()};
  run.stop_progress();
  run.say_batches(found.batches);
  return found;
}

Found merge_parts(const GuidesOptions& o, const Run& run, PartSet& parts, const GuideSet& guides, GuideTable& table,
                  const GuideOutput& to) {
  const bool has_places = parameter(parts.head().label, "rows") != "none";
  if (!has_places && !o.hits.empty()) {
    throw UsageError(fmt::format("--hits {}: the chunks kept no places: run them with --hits too", o.hits));
  }
  if (has_places && o.hits.empty()) run.note("the parts have places too: --hits FILE writes them");
  Found found;
  found.summary.rows = run_part_places(parts, guides, to, run.threads());
  found.summaries.emplace(parts);
  for (std::size_t i = 0; i < parts.paths().size(); ++i) add_totals(parts.totals()[i], parts.paths()[i], guides, table);
  found.summary.places = table.places();
  for (const std::string& input : input_names(parts.head().inputs)) {
    found.summary.sources.push_back({input, Compression::none, std::nullopt});
  }
  found.summary.source_counts.resize(found.summary.sources.size());
  return found;
}

void summarize(const GuidesOptions& o, const Run& run, const Found& found, const PartSet* parts, bool is_part) {
  std::int64_t bases = 0;
  for (const SourceCounts& counts : found.summary.source_counts) bases += counts.bases;
  const std::string read = parts != nullptr ? counted(parts->paths().size(), "part")
                                            : inputs_read(o.search.inputs.size(), static_cast<std::uint64_t>(bases));
  run.summarize(read, counted(found.summary.places, "place"), found.summary.places == 0 && !is_part);
}

// Writes the table, or the end of the part, and the report, and gives all files their names.
void commit(const GuidesOptions& o, Run& run, const GuideSet& guides, const GuideTable& table, const Found& found,
            const std::optional<PartHead>& part, Outputs& outputs) {
  RunReport report;
  report.parameters = with_limits(parameters(o, guides), {"gc", "max_poly_t", "top"});
  report.matcher = found.matcher;
  report.batches = found.batches;
  if (part) report.part = part->label;
  const auto print = [&](const RunReport& whole) {
    const std::string printed = json_report(whole, guides, table, found.summary);
    return found.summaries ? found.summaries->report(printed) : printed;
  };
  run.commit(std::move(report), {{"--output", o.search.output}, {"--hits", part ? "" : o.hits}}, print,
             [&](const RunReport& whole) {
               if (part) outputs.part()->finish({.report = print(whole)}, print_totals(table, guides));
               outputs.commit();
             });
}

int show_place_columns(const ShownColumns& shown) {
  const GuideSet example({{"guide", std::string(20, 'A')}}, {{"NGG"}, PamSide::three_prime, PamInGuide::no}, {});
  return show_columns(PlaceRows(example), shown);
}

// Says what may be wrong with the guides, before anything is searched.
void tell_of_guides(const GuidesOptions& o, const GuideSet& guides, const Run& run) {
  if (!o.design.on && !o.search.is_given("--pam-in-guide")) run.note(print_held_pam(guides));
  warn_of_missing_scores(guides, run);
}

int run_guides(GuidesOptions o, PartSet* parts) {
  Run run("guides", o.search);
  take_inputs(parts, o.search);
  if (asks_for_columns(o.search.shown)) return show_place_columns(o.search.shown);
  settle(o, parts != nullptr);
  if (parts == nullptr && (o.hits.empty() || hits_format(o) != OutputFormat::cram)) prepare(o.search.alignments);
  std::optional<Annotation> annotation;
  if (!o.annotation.empty()) annotation = Annotation::read(o.annotation, o.annotated);
  const Annotation* const features = annotation ? &*annotation : nullptr;
  const Library library = find_library(o, run, parts);
  const GuideSet guides(library.given.guides, o.pam, o.limits, library.given.repeats);
  if (parts == nullptr) tell_of_guides(o, guides, run);
  const PatternSet patterns = reaching(guides);
  Scope scope = parts != nullptr ? scope_of(*parts) : find_scope(o.search, patterns, Report::sites);
  const std::optional<PartHead> part = part_of(o, run, guides, library, patterns, scope);
  if (hits_are_aligned(o)) {
    choose_header_records(o.search, hits_format(o), scope);
    if (parts != nullptr && !scope.records) throw UsageError(std::string(kNeedsFasta));
  }
  GuideTable table(guides, features);
  std::unique_ptr<Reader> reader;
  std::unique_ptr<GuideFinder> finder;
  if (parts == nullptr) {
    reader = open_text(o, patterns, scope, run);
    finder = choose_finder(o, run, guides, scope, *reader);
  }
  Outputs outputs(o, run, guides, features, part);
  const GuideOutput to = outputs.places(scope.records);
  GuidePipelineOptions pipeline = pipeline_options(o, run, scope);
  pipeline.annotation = features;
  const Found found = parts != nullptr ? merge_parts(o, run, *parts, guides, table, to)
                                       : search_text(pipeline, run, *reader, guides, *finder, table, to);
  if (features != nullptr && found.summary.places != 0) warn_of_missing_features(table, guides, o, run);
  if (!part) {
    warn_of_missing_copies(table, guides, run, o.search.regions.any());
    write_table(o, guides, library, features, table, outputs.table());
  }
  commit(o, run, guides, table, found, part, outputs);
  summarize(o, run, found, parts, part.has_value());
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
