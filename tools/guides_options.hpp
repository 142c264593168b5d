// The options of `guides`.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lib/guides/guide_set.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

struct GuidesOptions {
  SearchOptions search;  // patterns are guides
  PamChoice pam;
  GuideLimits limits{.mismatches = 4};
  std::string hits;  // file of places; "": none
};

inline constexpr std::array kGuideHitFormats{OutputFormat::tsv, OutputFormat::bed};

void add_guides_options(CLI::App& command, GuidesOptions& options);
Help guides_help();

// The format of --hits, by its name.
OutputFormat hits_format(const GuidesOptions& options);

// Splits --pam, and throws UsageError if options conflict. Without inputs, makes stdin the input.
void settle(GuidesOptions& options);

const char* word_of(PamSide side);

}  // namespace basesweep
