// basesweep guides: finds the places of CRISPR guides; writes a table of the guides, and all places.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
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
#include "lib/report/findings.hpp"
#include "lib/report/guide_plots.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/guides_input.hpp"
#include "tools/guides_join.hpp"
#include "tools/guides_options.hpp"
#include "tools/guides_parts.hpp"
#include "tools/print.hpp"
#include "tools/text_job.hpp"

namespace basesweep {
namespace {

void warn_of_missing_scores(const GuideSet& guides, const Run& run) {
  const auto without = std::count_if(guides.guides().begin(), guides.guides().end(),
                                     [&](const Guide& guide) { return !is_scored(guides, guide); });
  if (without == 0) return;
  run.warn()(print_missing_scores(static_cast<std::uint64_t>(without), guides.guides().size()));
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

RunParameters parameters_in(const GuidesOptions& o, const GuideSet& guides) {
  RunParameters all = parameters_of(guides_options(), o);
  all.emplace_back("pam_in_guide", guides.held_pam() != HeldPam::nothing ? "yes" : "no");
  return all;
}

std::unique_ptr<Formatter> formatter_of(const GuidesOptions& o, const GuideSet& guides, const Annotation* annotation) {
  const OutputFormat format = hits_format(o);
  if (!hits_are_aligned(o)) {
    return make_line_formatter(std::make_shared<PlaceRows>(guides, input_names(o.search.inputs), annotation), format,
                               {.columns = o.search.shown});
  }
  const std::string path = o.search.inputs.size() == 1 ? o.search.inputs.front() : "";
  return make_sam_formatter(make_guide_sam(guides, o.sam.distinguish),
                            {.binary = format != OutputFormat::sam,
                             .program = !o.sam.no_program,
                             .command_line = program_of("guides", guides_options(), o),
                             .read_group = o.sam.read_group,
                             .path = input_name(path)});
}

// The digest of the guides, for the label of parts.
std::string digest_of(const GuideSet& guides, const PatternRows& rows) {
  Md5 md5;
  for (std::size_t i = 0; i < guides.guides().size(); ++i) {
    md5.add(fmt::format("{}\t{}\n", guides.guides()[i].letters, fmt::join(rows.rows[i], "\t")));
  }
  return md5.take();
}

// Threads, batches and warnings of the run that designs guides.
GuidePipelineOptions pipeline_options(const GuidesOptions& o, const Run& run) {
  GuidePipelineOptions pipeline;
  pipeline.packer.soft_masked = o.search.skip_soft_masked;
  pipeline.threads = run.threads();
  pipeline.batch_positions = o.search.batch_positions;
  pipeline.warn = run.warn();
  return pipeline;
}

// The guides of a run, and how their table is made.
struct Library {
  GivenGuides given;
  std::vector<GuideGroup> groups{};  // of designed guides
  std::vector<NearPlace> own{};      // of designed guides: their places
  bool has_regions = false;          // the table has a column for them
};

Library find_library(GuidesOptions& o, Run& run, const PartSet* parts) {
  if (parts != nullptr) return {guides_of(*parts, o)};
  if (!o.design.on) return {read_given_guides(o, run)};
  Library library;
  library.has_regions = o.design.top && o.search.regions.any();
  Design design = design_guides(o, run, pipeline_options(o, run));
  library.given = {std::move(design.guides), std::move(design.rows)};
  library.groups = std::move(design.groups);
  library.own = std::move(design.own);
  o.search.regions = {};  // places count everywhere
  o.pam.in_guide = PamInGuide::no;
  return library;
}

// Lists the cells of a row of the input. Those of a designed guide are one, with tabs between.
void list_cells(const std::vector<std::string>& row, bool designed, std::vector<std::string_view>& cells) {
  cells.assign(row.begin(), row.end());
  if (!designed) return;
  cells.clear();
  for (std::string_view rest = row.front(); !rest.empty();) cells.push_back(take_to(rest, '\t'));
}

// Of a row of the table. `input`: the columns of the guides' file.
GuideRowForm guide_table_form(const GuidesOptions& o, const std::vector<std::string>& input, bool has_regions,
                              const Annotation* annotation) {
  GuideRowForm form{o.limits.mismatches, o.limits.max_bulge(), annotation, {}, has_regions};
  if (o.design.on) {
    form.input = design_columns();
    form.designed = true;
  } else {
    for (const std::string& name : input) form.input.push_back({name});
  }
  return form;
}

// Returns how many rows it has.
std::uint64_t write_table(const GuidesOptions& o, const GuideSet& guides, const Library& library,
                          const Formatter& formatter, const GuideTable& table, GuideTally* tally, ByteSink& output) {
  std::uint64_t rows = 0;
  const PatternRows& input = library.given.rows;
  RowText text;
  text.append(formatter.header({}));
  std::vector<std::string_view> cells;
  GuideTotals designed;  // of one guide, its own place first
  const auto add_row = [&](std::size_t guide, std::string_view region) {
    list_cells(input.rows[guide], o.design.on, cells);
    const GuideTotals* totals = &table.totals(guide);
    bool scored = is_scored(guides, guides.guides()[guide]);
    if (o.design.on) {
      if (!o.design.rows.takes(*totals, scored)) return;
      scored = scored && o.design.rows.has_sums(*totals);
      designed = *totals;
      put_first(library.own[guide], designed.nearest);
      totals = &designed;
    }
    formatter.append(GuideTableRow{{}, cells, totals, scored, region}, text);
    if (tally != nullptr) {
      const Guide& own = guides.guides()[guide];
      tally->count(*totals, scored, rows, [&] { return ListedGuide{own.name, own.letters, *totals, scored}; });
    }
    ++rows;
    if (text.view().size() < (std::size_t{1} << 20)) return;
    output.write(text.view());
    text = RowText();
  };
  if (o.design.top) {
    for (const TopGuide& top : best_of_groups(library.groups, table, o.design.rows, *o.design.top))
      add_row(top.guide, top.group->name);
  } else {
    for (std::size_t i = 0; i < guides.guides().size(); ++i) add_row(i, "");
  }
  output.write(text.view());
  return rows;
}

// The kind of a part's rows, for its label.
const char* kind_of_rows(const GuidesOptions& o) {
  return o.hits.empty() ? "none" : rows_of_hits(o) == GuideRowOf::bulge ? "bulges" : "places";
}

// Says what may be wrong with the guides, before anything is searched.
void tell_of_guides(const GuidesOptions& o, const GuideSet& guides, const Run& run) {
  if (!o.design.on && !o.search.is_given("--pam-in-guide")) run.note(print_held_pam(guides));
  warn_of_missing_scores(guides, run);
}

// The kind of index that --write-index makes.
HitFile index_of(OutputFormat format) {
  switch (format) {
    case OutputFormat::bed: return HitFile::bed;
    case OutputFormat::sam: return HitFile::sam;
    case OutputFormat::bam: return HitFile::bam;
    case OutputFormat::cram: return HitFile::cram;
    default: return HitFile::guide_tsv;
  }
}

class GuidesJob final : public TextJob {
 public:
  explicit GuidesJob(GuidesOptions options) : o_(std::move(options)) {}

  const char* command() const override { return "guides"; }
  SearchJobOptions& options() override { return o_.search; }
  const SearchJobOptions& options() const override { return o_.search; }

  int show_columns() override {
    const ShownColumns& shown = o_.search.shown;
    if (!o_.hits.empty() || (shown.autosql && !o_.design.on)) {
      return basesweep::show_columns(PlaceRows(example_guides()), shown);
    }
    const bool has_regions = o_.design.top && o_.search.regions.any();
    return basesweep::show_columns(GuideTableRows(guide_table_form(o_, {"name", "sequence"}, has_regions, nullptr)),
                                   shown);
  }

  void settle(const PartSet* parts) override {
    basesweep::settle(o_, parts != nullptr);
    if (parts == nullptr) return;
    parts_have_places_ = parameter(parts->head().label, "rows") != "none";
    if (!parts_have_places_ && !o_.hits.empty()) {
      throw UsageError(fmt::format("--hits {}: the chunks kept no places: run them with --hits too", o_.hits));
    }
  }

  void find_queries(const PartSet* parts, Run& run) override {
    if (!o_.annotation.empty()) annotation_ = Annotation::read(o_.annotation, o_.annotated);
    library_ = find_library(o_, run, parts);
    guides_.emplace(library_.given.guides, o_.pam, o_.limits, library_.given.repeats);
    o_.pam.pams = guides_->pams();  // in capitals
    patterns_ = reaching(*guides_);
    // Whoever merges parts may want a page.
    table_.emplace(*guides_, features(), o_.search.reports() || o_.search.is_chunk() || parts != nullptr);
    const OutputFormat format = o_.search.is_chunk() ? OutputFormat::tsv : table_format(o_);
    table_formatter_ = make_line_formatter(std::make_shared<GuideTableRows>(guide_table_form(
                                               o_, library_.given.rows.header, library_.has_regions, features())),
                                           format, {.columns = columns_of_table(o_)});
    if (parts == nullptr) tell_of_guides(o_, *guides_, run);
  }

  RunParameters parameters() const override { return parameters_in(o_, *guides_); }

  void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) override {
    TextJob::add_outputs(outputs, part);
    if (part || o_.hits.empty()) return;
    const auto index = o_.write_index ? std::optional(index_of(format())) : std::nullopt;
    rows_to_ = &outputs.add("--hits", o_.hits, {format(), index, o_.reference_of_hits});
  }

  void search(Run& run) override {
    const std::unique_ptr<GuideFinder> finder = choose_finder(run);
    GuidePipelineOptions pipeline;
    set_text_options(run, pipeline);
    pipeline.annotation = features();
    pipeline.row = rows_of_hits(o_);
    found_ = run_guide_pipeline(pipeline, reader(), *guides_, *finder, *table_, places());
    keep(*finder);
  }

  void merge(PartSet& parts, const Run& run) override {
    if (parts_have_places_ && o_.hits.empty()) run.note("the parts have places too: --hits FILE writes them");
    found_.rows = run_part_places(parts, *guides_, places(), run.threads());
    for (std::size_t i = 0; i < parts.paths().size(); ++i) {
      add_totals(parts.totals()[i], parts.paths()[i], *guides_, *table_);
    }
    found_.hits = table_->places();
  }

  TextSummary& summary() override { return found_; }

  void write_tables(const Run& run) override {
    if (annotation_ && found_.hits != 0) warn_of_missing_features(*table_, *guides_, o_, run);
    warn_of_missing_copies(*table_, *guides_, run, o_.search.regions.any());
    const std::uint64_t rows = write_table(o_, *guides_, library_, *table_formatter_, *table_, tally(), *tables_to_);
    if (o_.design.on) tell_of_rows(o_.design, guides_->guides().size(), rows, run);
  }

  void add_findings(nlohmann::ordered_json& report) const override {
    add_places(findings_of(*guides_, *table_), found_, report);
    if (tally_) add_guide_plots(tally_->counts(), guides_->side(), report);
  }
  std::string totals() const override { return print_totals(*table_, *guides_); }
  std::string found() override { return counted(found_.hits, "place"); }

 protected:
  const PatternSet& patterns() const override { return *patterns_; }
  OutputFormat choose_format() override { return o_.hits.empty() ? OutputFormat::tsv : hits_format(o_); }
  OutputForm form_of_output() const override { return {}; }
  std::unique_ptr<Formatter> make_formatter() override {
    return o_.hits.empty() ? nullptr : formatter_of(o_, *guides_, features());
  }
  std::unique_ptr<Formatter> make_part_rows() const override {
    return std::make_unique<PartRows<PlacedGuide>>(need::letters | need::scores);
  }
  std::string print_queries() const override { return print_guides(library_.given, o_); }
  RunParameters label_parameters() const override {
    RunParameters all = parameters_in(o_, *guides_);
    all.emplace_back("guides", digest_of(*guides_, library_.given.rows));
    all.emplace_back("rows", kind_of_rows(o_));
    return all;
  }

 private:
  const Annotation* features() const { return annotation_ ? &*annotation_ : nullptr; }
  GuideTally* tally() {
    if (counts_for_plots()) tally_ = std::make_unique<GuideTally>(o_.design.on);
    return tally_.get();
  }
  RowTarget places() const {
    RowTarget to = target(formatter() != nullptr);
    to.spool_directory = spool_directory(o_.hits);
    return to;
  }
  std::unique_ptr<GuideFinder> choose_finder(const Run& run) const {
    std::unique_ptr<GuideFinder> finder = make_guide_finder(*guides_, {searcher_options(run)});
    run.say()(fmt::format("finding {} guides with {}, {} threads", guides_->guides().size(), finder->describe(),
                          run.threads()));
    return finder;
  }

  GuidesOptions o_;
  bool parts_have_places_ = false;
  std::optional<Annotation> annotation_;
  Library library_;
  std::optional<GuideSet> guides_;
  std::optional<PatternSet> patterns_;
  std::optional<GuideTable> table_;
  std::unique_ptr<Formatter> table_formatter_;
  GuideSummary found_;
  std::unique_ptr<GuideTally> tally_;  // null: nothing is counted for plots
};

}  // namespace

Work add_guides_command(CLI::App& app) {
  auto options = std::make_shared<GuidesOptions>();
  CLI::App& command = add_command(app, "guides", "Find the off-targets of CRISPR guides; write a table and all places",
                                  kSearchCommands, guides_help());
  add_guides_options(command, *options);
  return [options](PartSet* parts) {
    // Chunks with --design always join.
    if (parts != nullptr ? options->design.on : joins_text(*options)) return run_join(*options, parts);
    if (parts == nullptr) {
      if (auto regions = large_regions(*options)) return run_join(*options, parts, std::move(regions));
    }
    GuidesJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
