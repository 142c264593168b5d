// What the part of a chunk says besides its rows, and how a run takes it again.
#pragma once

#include <string>

#include "lib/compiled/compiled_set.hpp"
#include "lib/parts/part_set.hpp"
#include "tools/search_options.hpp"
#include "tools/search_scope.hpp"

namespace basesweep {

// What a part says before its rows. `query`: what is searched for, encoded.
PartHead part_head(const SearchJobOptions& options, const PartLabel& label, const Scope& scope, std::string query);
// The scope of a run whose parts are merged.
Scope scope_of(const PartSet& parts);
// Takes what parts say of the inputs. Without parts, does nothing.
void take_inputs(const PartSet* parts, SearchJobOptions& options);
// The set of patterns that a part holds.
CompiledSet set_of(const PartSet& parts);
std::string print_set(CompiledSet set);

}  // namespace basesweep
