// The guides of a run in its parts.
#pragma once

#include <string>

#include "lib/parts/part_set.hpp"
#include "tools/guides_input.hpp"

namespace basesweep {

struct GuidesOptions;

// The guides as they were given, the columns of their table, and the PAMs and limits of the options, which a file of
// guides may have set.
std::string print_guides(const GivenGuides& given, const GuidesOptions& options);

// Reads the same from a part, and sets the PAMs and limits of the options. Throws DataError.
GivenGuides guides_of(const PartSet& parts, GuidesOptions& options);

}  // namespace basesweep
