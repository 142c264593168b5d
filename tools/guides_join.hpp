// `guides --design`: every guide of the text, or of large regions, against all of it, from one reading of the input.
#pragma once

#include <optional>

#include "tools/guides_options.hpp"
#include "tools/guides_regions.hpp"

namespace basesweep {

// Does the run, or finishes the one that the parts are of. Returns the exit code. `regions`: those that the guides
// start in; nothing: they may be anywhere.
int run_join(const GuidesOptions& options, PartSet* parts, std::optional<IndexedRegions> regions = {});

}  // namespace basesweep
