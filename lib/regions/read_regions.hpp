// Regions as users name them.
#pragma once

#include <string>

#include "lib/regions/region_set.hpp"

namespace basesweep {

// "record", "record:from", "record:from-to", 1-based with both ends, commas in numbers allowed; "{record}:from-to"
// where the name has a colon followed by numbers. Throws UsageError.
void add_region(const std::string& text, RegionSet& regions);

// The first three columns of a BED file: record, start, end, 0-based and half-open. Lines that begin with '#', "track"
// or "browser" are passed over. Throws IoError, and DataError naming line and what was expected.
void add_bed(const std::string& path, RegionSet& regions);

}  // namespace basesweep
