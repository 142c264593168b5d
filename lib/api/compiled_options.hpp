// Compiled sets among the options of the library.
#pragma once

#include <basesweep/basesweep.hpp>
#include <vector>

#include "lib/compiled/compiled_set.hpp"

namespace basesweep {

// The patterns of a set, as a caller would give them. Throws UsageError for a set of primer pairs.
std::vector<NamedPattern> patterns_of(const CompiledSet& set);

// The options with those that the set keeps. Throws UsageError for one that differs.
SearchOptions with_options_of(const CompiledSet& set, SearchOptions options);

}  // namespace basesweep
