// The contents of the parts of `map` besides alignments.
#pragma once

#include <optional>
#include <string>

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/map_pipeline.hpp"
#include "lib/reads/reference.hpp"
#include "lib/search/region_set.hpp"
#include "tools/map_options.hpp"

namespace basesweep {

// The facts about a run that merging needs, apart from its options.
struct MapQuery {
  Reference reference;      // without text
  bool paired = false;      // reads are
  std::string read_groups;  // @RG lines of the input, each with its line end
};
// Throws DataError.
MapQuery query_of(const PartSet& parts);

// The contents of a chunk's part before its alignments. `regions`: of the reference. `parameters`: of the report.
PartHead part_of(const MapArguments& options, const Chunk& chunk, const Reference& reference,
                 const std::optional<RegionSet>& regions, const RunParameters& parameters,
                 const std::string& read_groups);

// `plots`: what was counted for them.
std::string print_totals(const MapSummary& summary, const MappedReads& plots);
// The sums of all parts; `plots` gets its own. `records`: of the reference. Throws DataError.
MapSummary totals_of(const PartSet& parts, std::size_t records, MappedReads& plots);

}  // namespace basesweep
