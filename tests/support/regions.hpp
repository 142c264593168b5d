// Random regions of records, as a user names them or as a plan has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/regions/region_set.hpp"
#include "tests/support/random.hpp"

namespace support {

struct RegionOfRecord {
  std::size_t record;
  basesweep::Region region;
};
using Regions = std::vector<RegionOfRecord>;

// Some, which may overlap, of records that have bases; none where no record has any.
Regions random_regions(Random& random, const std::vector<std::string>& records);

bool is_inside(const Regions& regions, std::int64_t record, std::int64_t start);

// `planned`: records are known by their place among those that have bases, else by name ("r0").
basesweep::RegionSet region_set(const Regions& regions, const std::vector<std::string>& records, bool planned);

std::string literal(const Regions& regions);

}  // namespace support
