// Compiled sets (-f guides.bsx) among the options of searches.
#pragma once

#include <optional>

#include "lib/compiled/compiled_set.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

// The set, if -f names one. Throws UsageError if other patterns stand beside it or if it is of another kind, and what
// read_compiled_set() throws. `kind`: what the command takes.
std::optional<CompiledSet> open_compiled_set(const SearchJobOptions& options, SetKind kind);

// Takes the options that the set keeps. Throws UsageError for one that is given and differs.
void take_options(const CompiledSet& set, SearchJobOptions& options);
void take_options(const CompiledSet& set, SearchJobOptions& options, EditOptions& edits);

}  // namespace basesweep
