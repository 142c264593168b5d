// `guides --design`: the guides are those of the input itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/guides/design.hpp"
#include "lib/guides/guide_rows.hpp"
#include "lib/pipeline/guide_pipeline.hpp"
#include "lib/reader/pattern_file.hpp"
#include "tools/text_job.hpp"

namespace basesweep {

struct GuidesOptions;

struct DesignOptions {
  bool on = false;
  DesignLimits limits;
  std::string gc;  // "MIN,MAX"; "": any
  std::optional<std::uint64_t> top;
  RowChoice rows;
  double min_specificity = 0;  // of `rows`, in percent
};

OptionTable<DesignOptions> design_options();
HelpSection design_help();

// Throws UsageError if the plan of the chunk does not suit the options.
void check_plan(const Scope& scope, const DesignOptions& options);

// Says how many guides were designed and left out. Throws DataError if none is there.
void tell_of_design(std::uint64_t guides, std::uint64_t left_out, const Run& run);

// Says how many guides the choice of rows left out, and warns if it is all of them.
void tell_of_rows(const DesignOptions& options, std::uint64_t guides, std::uint64_t rows, const Run& run);
// "3 of 9 guides have no scores: ..."
std::string print_missing_scores(std::uint64_t without, std::uint64_t guides);

// Whether run_join() can do the whole run: it designs guides and writes their table only. It takes no regions, bulges,
// seed or annotation, no long PAMs and no more than kMostJoinMismatches mismatches. large_regions() is for regions.
bool joins_text(const GuidesOptions& options);

// Throws UsageError if options conflict.
void settle_design(GuidesOptions& options);

// The guides that were designed.
struct Design {
  std::vector<Pattern> guides;
  PatternRows rows;
  std::vector<NearPlace> own;      // of each guide, its place
  std::vector<GuideGroup> groups;  // of each region that is given, or of each record
};

// Reads the input, or its regions, once. Throws DataError if no guide is there. `pipeline`: threads, batches and
// warnings.
Design design_guides(GuidesOptions& options, const Run& run, GuidePipelineOptions pipeline);

// The columns of its rows.
const std::vector<GuideInputColumn>& design_columns();

// A pattern that reaches as far as a guide with its PAM may, for the halos of regions.
PatternSet reaching(const GuideSet& guides);

}  // namespace basesweep
