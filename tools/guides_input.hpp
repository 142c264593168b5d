// The guides that the command line names.
#pragma once

#include <string>
#include <vector>

#include "lib/reader/pattern_file.hpp"
#include "tools/run.hpp"

namespace basesweep {

struct GuidesOptions;

struct GivenGuides {
  std::vector<Pattern> guides;
  PatternRows rows;             // their columns of the table
  std::vector<bool> repeats{};  // see GuideSet::repeats(); empty: none does
};

// Reads the guides of -f and -p, whose names may repeat: see number_names(). Names that are changed stand in the column
// `name`. Takes PAM, limits and bulges from an input of Cas-OFFinder, and says so on stderr. Throws as
// collect_patterns(), and UsageError if options and such a file conflict.
GivenGuides read_given_guides(GuidesOptions& options, Run& run);

}  // namespace basesweep
