// Random regions of records: by record name, as users give them, or by record number, as plans do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/oracle/trial/random.hpp"
#include "lib/search/region_set.hpp"

namespace support {

struct RegionOfRecord {
  std::size_t record;
  basesweep::Region region;
};
using Regions = std::vector<RegionOfRecord>;

// Returns 1 to 5 regions of records that have bases. They may overlap. Empty if no record has bases.
Regions random_regions(trial::Random& random, const std::vector<std::string>& records);

bool is_inside(const Regions& regions, std::int64_t record, std::int64_t start);

// `planned`: a record is identified by its number among the records that have bases; otherwise by its name ("r0").
basesweep::RegionSet region_set(const Regions& regions, const std::vector<std::string>& records, bool planned);

std::string literal(const Regions& regions);

}  // namespace support
