#include "tests/support/regions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/oracle/trial/batches.hpp"

namespace support {

Regions random_regions(trial::Random& random, const std::vector<std::string>& records) {
  std::vector<std::size_t> with_bases;
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (!records[r].empty()) with_bases.push_back(r);
  }
  Regions regions;
  if (with_bases.empty()) return regions;
  for (std::size_t i = random.between(1, 5); i-- != 0;) {
    const std::size_t record = random.pick(with_bases);
    const auto length = static_cast<std::int64_t>(records[record].size());
    const auto begin = static_cast<std::int64_t>(random.chance(30) ? 0 : random.below(records[record].size()));
    const auto bases = static_cast<std::int64_t>(random.between(1, random.chance(50) ? 10 : records[record].size()));
    const std::int64_t end = random.chance(20) ? length : std::min(length, begin + bases);
    regions.push_back({record, {begin, end}});
  }
  return regions;
}

bool is_inside(const Regions& regions, std::int64_t record, std::int64_t start) {
  return std::any_of(regions.begin(), regions.end(), [&](const RegionOfRecord& r) {
    return static_cast<std::int64_t>(r.record) == record && r.region.begin <= start && start < r.region.end;
  });
}

basesweep::RegionSet region_set(const Regions& regions, const std::vector<std::string>& records, bool planned) {
  const std::int64_t with_bases =
      std::count_if(records.begin(), records.end(), [](const auto& r) { return !r.empty(); });
  basesweep::RegionSet set = planned ? basesweep::RegionSet::of_plan(with_bases) : basesweep::RegionSet::of_names();
  for (const auto& [record, region] : regions) {
    if (!planned) {
      set.add(trial::record_name(record), region);
      continue;
    }
    const auto place = std::count_if(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(record),
                                     [](const std::string& letters) { return !letters.empty(); });
    set.add(place, trial::record_name(record), static_cast<std::int64_t>(records[record].size()), region);
  }
  return set;
}

std::string literal(const Regions& regions) {
  std::string text;
  for (const auto& [record, region] : regions) text += fmt::format(" r{}:[{}, {})", record, region.begin, region.end);
  return text;
}

}  // namespace support
