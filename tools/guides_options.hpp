// The options of `guides`.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lib/guides/guide_set.hpp"
#include "lib/guides/placed_guide.hpp"
#include "tools/guides_design.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

struct GuidesOptions {
  SearchJobOptions search;  // patterns are guides
  PamChoice pam;
  GuideLimits limits{.mismatches = 4};
  DesignOptions design;
  SamChoices sam;                        // of --hits
  std::string hits;                      // file of places; "": none; with --chunk they go into the part
  bool hits_all = false;                 // of `hits`: a row for each kind and size of bulge of a place
  bool write_index = false;              // of `hits`
  std::string reference_of_hits{};       // that CRAM of places is written with; settle() sets it
  std::string annotation;                // file of features; "": none
  std::vector<std::string> annotated{};  // kinds of features; empty: all
};

// The options that affect what is found and how it is shown.
OptionTable<GuidesOptions> guides_options();
void add_guides_options(CLI::App& command, GuidesOptions& options);
Help guides_help();
// An example of what the command searches for, in lists of columns.
GuideSet example_guides();

// The format of the table, by the name of -o. Throws UsageError for a name that does not fit.
OutputFormat table_format(const GuidesOptions& options);
// The columns of the table: with --hits, the options choose those of places.
ShownColumns columns_of_table(const GuidesOptions& options);
// The format of --hits, by its name.
OutputFormat hits_format(const GuidesOptions& options);
bool hits_are_aligned(const GuidesOptions& options);  // SAM, BAM or CRAM
GuideRowOf rows_of_hits(const GuidesOptions& options);

// The PAMs of --pam, which may have commas between; NGG if none is given.
std::vector<std::string> split_pams(const std::vector<std::string>& given);

// Splits --pam, and throws UsageError if options conflict. Without inputs, makes stdin the input. `merging`: the guides
// and places come from parts.
void settle(GuidesOptions& options, bool merging);

const char* word_of(PamSide side);

}  // namespace basesweep
