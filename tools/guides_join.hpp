// `guides --design` without regions: every guide of the text against all of it, from one reading of the input.
#pragma once

#include "tools/guides_options.hpp"

namespace basesweep {

// Whether the options ask for the table alone, without bulges and the like.
bool joins_text(const GuidesOptions& options);

// Does the run, or finishes the one that the parts are of. Returns the exit code.
int run_join(const GuidesOptions& options, PartSet* parts);

}  // namespace basesweep
