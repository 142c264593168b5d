// Random choices of circular records.
#pragma once

#include <string>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/random.hpp"

namespace support {

// For each record whether it is circular: all, or some of those that have bases.
inline std::vector<bool> random_circles(trial::Random& random, const std::vector<std::string>& records) {
  std::vector<bool> circular(records.size(), true);
  if (random.chance(50)) return circular;
  for (std::size_t r = 0; r < records.size(); ++r) circular[r] = !records[r].empty() && random.chance(50);
  return circular;
}

// The same by name, as options give them.
inline basesweep::CircularRecords circular_records(const std::vector<bool>& circular) {
  basesweep::CircularRecords records;
  records.all = !circular.empty();
  for (std::size_t r = 0; r < circular.size(); ++r) {
    if (circular[r]) {
      records.names.insert(trial::record_name(r));
    } else {
      records.all = false;
    }
  }
  if (records.all) records.names.clear();
  return records;
}

}  // namespace support
