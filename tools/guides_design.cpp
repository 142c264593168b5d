#include "tools/guides_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/guides/guide_join.hpp"
#include "tools/guides_options.hpp"
#include "tools/guides_regions.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

// Reads --gc.
void parse_gc(const std::string& text, DesignLimits& limits) {
  std::string_view rest = text;
  const std::string_view least = take_to(rest, ',');
  constexpr std::uint32_t kAll = 100;
  if (!parse_number(least, limits.min_gc) || !parse_number(rest, limits.max_gc) || limits.min_gc > limits.max_gc ||
      limits.max_gc > kAll) {
    throw UsageError(fmt::format("--gc {}: expected two percentages, the lower one first: 20,80", text));
  }
}

void refuse(const std::string& what) { throw UsageError(what); }

bool designs_scored(const GuidesOptions& o) {
  return basesweep::has_scores(o.design.limits.length, o.pam.pams, o.pam.side == PamSide::five_prime);
}

// Checks the options that choose rows.
void settle_rows(GuidesOptions& o) {
  RowChoice& rows = o.design.rows;
  if (rows.unique && *rows.unique > o.limits.mismatches) {
    refuse(fmt::format("--unique {} needs -m {}: places with more than {} mismatches are not found", *rows.unique,
                       *rows.unique, o.limits.mismatches));
  }
  if (o.design.min_specificity == 0) return;
  if (o.design.min_specificity > 100) refuse("--min-specificity is a percentage: 0 to 100");
  if (!designs_scored(o)) refuse("--min-specificity is for guides of 20 bases before the PAM NGG, which have scores");
  constexpr double kPercent = 100;
  constexpr double kRounding = 1e-6;  // a product of what a table shows, 74.4681, may lie above the number of steps
  rows.min_specificity =
      static_cast<std::uint32_t>(std::ceil(o.design.min_specificity * (kFullScore / kPercent) - kRounding));
}

}  // namespace

const std::vector<GuideInputColumn>& design_columns() {
  static const std::vector<GuideInputColumn> columns{
      {"name", ColumnType::text, "the guide's place: record:start-end(strand)"},
      {"sequence", ColumnType::text, "the guide without its PAM"},
      {"pam", ColumnType::text, "the PAM in the text"},
      {"record", ColumnType::text, "the first word of the record's title"},
      {"start", ColumnType::integer, "the first base, PAM included, counted from 0"},
      {"end", ColumnType::integer, "the base after the last, PAM included"},
      {"strand", ColumnType::strand, "- when the guide is on the reverse complement"},
      {"gc", ColumnType::integer, "the percentage of G and C, rounded down"}};
  return columns;
}

PatternSet reaching(const GuideSet& guides) {
  const std::uint32_t edits = guides.limits().mismatches + guides.limits().max_bulge();
  EditOptions options;
  options.edits = edits;
  const std::size_t length = std::size_t{guides.max_length()} + guides.max_pam_length() + edits;
  return {{{"guide", std::string(length, 'N')}}, StrandChoice::both, PalindromeChoice::once, options};
}

OptionTable<DesignOptions> design_options() {
  const auto with_design = [](const DesignOptions& o, ParameterValue value) { return o.on ? value : ParameterValue(); };
  return TableMaker<DesignOptions>()
      .begin(group::kPatterns)
      .flag("--design", &DesignOptions::on,
            "The guides are all those of the input, or those in its --region; places count in the whole input")
      .reported_if_given("design")
      .number("--guide-length", at(&DesignOptions::limits, &DesignLimits::length),
              {.min = kMinGuideLength, .max = kMaxGuideLength}, "With --design: bases of a guide (default: 20)")
      .reported_as("guide_length",
                   [=](const DesignOptions& o) { return with_design(o, parameter_of(o.limits.length)); })
      .reported_if_given("guide_length")
      .text("--gc", "MIN,MAX", &DesignOptions::gc,
            "With --design: leave out guides with less or more percent of G and C")
      .reported("gc")
      .number("--max-poly-t", at(&DesignOptions::limits, &DesignLimits::max_poly_t), {.max = kMaxGuideLength},
              "With --design: leave out guides with a run of more than N T, which end transcription (usual: 3)")
      .reported("max_poly_t")
      .number("--top", &DesignOptions::top, {.min = 1},
              "With --design: write the N guides of each region, or record, with the highest CFD specificity")
      .reported("top")
      .decimal("--min-specificity", &DesignOptions::min_specificity, 0,
               "With --design: leave out guides with a lower CFD specificity, and those without")
      .reported_if_given("min_specificity")
      .number("--unique", at(&DesignOptions::rows, &RowChoice::unique), {.max = kMaxGuideLength},
              "With --design: leave out guides of which another place, without bulge, has at most N mismatches")
      .reported("unique")
      .number("--max-scored", at(&DesignOptions::rows, &RowChoice::most_scored), {},
              "With --design: guides with more than N places have counts and no scores (default: 10000)")
      .reported_as("max_scored",
                   [=](const DesignOptions& o) { return with_design(o, parameter_of(o.rows.most_scored)); })
      .reported_if_given("max_scored")
      .take();
}

HelpSection design_help() {
  return {
      "Design",
      {"With --design the guides are all stretches of A, C, G and T beside a PAM, on both strands, whose leftmost "
       "base, "
       "PAM included, is in a region. The table has the columns name, "
       "sequence, pam, record, start, end (0-based, PAM included), strand and gc (percent, rounded down) in front of "
       "the others, in the order of the text. With --top, each region as it is given has its own rows, in the order "
       "of the regions: a guide in two regions may come twice. A region without guides is named in a warning; -v says "
       "how many guides --gc and --max-poly-t left out.",
       "Without --hits, --annotate, regions, bulges and --seed, with PAMs of at most 8 letters and at most 8 "
       "mismatches, the input is read once, and every guide is compared with all of it. That holds for regions too if "
       "the input has an index and they are at least 10 % of its bases, or 0.5 % with a GPU. For each place beside a "
       "PAM it takes 16 bytes of memory, and about 150 more on the CPU or 95 on a GPU; with less, the guides are "
       "compared in slices, which takes longer. Otherwise the input is read twice, so it cannot be stdin, and may have "
       "20 million guides.",
       "With --chunk the guides are those that start in the chunk, and are compared with all of the input."}};
}

bool joins_text(const GuidesOptions& o) {
  const GuideLimits& limits = o.limits;
  const std::vector<std::string> pams = split_pams(o.pam.pams);
  const auto is_short = [](const std::string& pam) { return pam.size() <= SitePlace::kMostPamLetters; };
  return o.design.on && o.hits.empty() && o.annotation.empty() && !o.search.regions.any() &&
         !asks_for_columns(o.search.shown) && limits.max_bulge() == 0 && limits.seed == 0 &&
         limits.mismatches <= kMostJoinMismatches && std::all_of(pams.begin(), pams.end(), is_short);
}

void settle_design(GuidesOptions& o) {
  if (!o.design.on) {
    for (const char* option :
         {"--guide-length", "--gc", "--max-poly-t", "--top", "--min-specificity", "--unique", "--max-scored"}) {
      if (o.search.is_given(option)) refuse(fmt::format("{} needs --design", option));
    }
    return;
  }
  if (!o.search.patterns.empty() || !o.search.pattern_files.empty()) {
    refuse("--design takes the guides from the input: it does not go with -p and -f");
  }
  if (o.search.is_given("--pam-in-guide")) refuse("--design does not go with --pam-in-guide");
  for (const std::string& input : o.search.inputs) {
    if (!joins_text(o) && gives_once(input)) {
      refuse("--design reads the input twice with these options: it must be a file, not stdin or a pipe");
    }
  }
  if (!o.design.gc.empty()) parse_gc(o.design.gc, o.design.limits);
  settle_rows(o);
  if (!o.design.top) return;
  if (!o.hits.empty()) refuse("--top does not go with --hits, which has the places of all guides");
  if (!designs_scored(o)) {
    refuse("--top chooses by specificity, which guides of 20 bases before the PAM NGG have");
  }
}

void check_plan(const Scope& scope, const DesignOptions& o) {
  if (scope.reads) refuse("--design with --chunk needs FASTA or .2bit; these are reads");
  if (o.top && !scope.chunk->plan.covers_all())
    refuse("--top chooses by record in chunks: it needs a plan without regions");
}

void tell_of_design(std::uint64_t guides, std::uint64_t left_out, const Run& run) {
  if (left_out != 0) run.say()(fmt::format("{} left out by --gc or --max-poly-t", counted(left_out, "guide")));
  if (guides == 0) {
    throw DataError(left_out == 0 ? "the input has no guide beside a PAM there"
                                  : "--gc and --max-poly-t leave out all guides that the input has there");
  }
  run.say()(fmt::format("{} designed", counted(guides, "guide")));
}

void tell_of_rows(const DesignOptions& o, std::uint64_t guides, std::uint64_t rows, const Run& run) {
  if (o.top || (!o.rows.unique && o.min_specificity == 0)) return;
  run.say()(fmt::format("{} left out by --unique or --min-specificity", counted(guides - rows, "guide")));
  if (rows == 0) run.warn()("--unique and --min-specificity leave out all guides");
}

std::string print_missing_scores(std::uint64_t without, std::uint64_t guides) {
  return fmt::format("{} of {} guides {} no scores: MIT and CFD need 20 bases before NGG", without, guides,
                     without == 1 ? "has" : "have");
}

Design design_guides(GuidesOptions& o, const Run& run, GuidePipelineOptions pipeline) {
  read_regions_file(o.search.regions);
  const GuideSet every = every_guide(o.pam, o.design.limits.length);
  const PatternSet patterns = reaching(every);
  const Scope scope = find_scope(o.search, patterns, Report::sites);
  const std::unique_ptr<FileSource> reader = open_reader(o.search, patterns, scope);
  reader->open_first();
  if (o.search.regions.any()) refuse_regions(reader->sources());
  pipeline.regions = scope.regions ? &*scope.regions : nullptr;
  GuideFinderOptions finding;
  finding.device = Device::cpu;
  finding.way = GuideWay::sites;
  const std::unique_ptr<GuideFinder> finder = make_guide_finder(every, finding);
  GuideTable table(every);
  DesignList list(every, o.design.limits);
  run_guide_pipeline(pipeline, *reader, every, *finder, table, {&list.formatter(), &list, scope.records});

  tell_of_design(list.guides().size(), list.left_out(), run);
  Design design;
  std::unordered_set<std::string_view> records;
  for (const DesignedGuide& guide : list.guides()) records.insert(guide.record);
  const std::vector<NamedRegion> regions = given_regions(o.search.regions, records);
  design.groups = regions.empty() ? groups_of_records(list.guides()) : groups_of_regions(list.guides(), regions);
  std::vector<bool> has_guides;
  for (const GuideGroup& group : design.groups) has_guides.push_back(!group.ranges.empty());
  if (!regions.empty()) warn_of_regions_without(regions, has_guides, run);
  for (const GuideInputColumn& column : design_columns()) design.rows.header.push_back(column.name);
  design.rows.rows.reserve(list.guides().size());
  design.guides.reserve(list.guides().size());
  DesignCells cells;
  for (const DesignedGuide& guide : list.guides()) {
    cells.set(guide.record, guide.start, guide.end, guide.strand, guide.letters, guide.pam);
    design.rows.rows.push_back({cells.text()});  // one cell with tabs in it takes less memory than many
    design.guides.push_back({guide.name(), guide.letters});
    design.own.push_back(guide.place());
  }
  return design;
}

}  // namespace basesweep
