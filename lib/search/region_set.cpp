#include "lib/search/region_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace basesweep {
namespace {

// Inserts a region in order and joins it with those that it overlaps or touches.
void insert(std::vector<Region>& regions, Region region) {
  region.end = std::min(region.end, kToTheEnd);
  if (region.begin >= region.end) return;
  const auto first = std::partition_point(regions.begin(), regions.end(),
                                          [&](const Region& other) { return other.end < region.begin; });
  auto last = first;
  for (; last != regions.end() && last->begin <= region.end; ++last) {
    region.begin = std::min(region.begin, last->begin);
    region.end = std::max(region.end, last->end);
  }
  regions.insert(regions.erase(first, last), region);
}

}  // namespace

void RegionSet::add(const std::string& record, Region region) { insert(by_name_[record], region); }

void RegionSet::add(std::int64_t reference, const std::string& record, std::int64_t length, Region region) {
  insert(by_place_.try_emplace(reference, Planned{record, length, {}}).first->second.regions, region);
}

const std::vector<Region>& RegionSet::of(std::int64_t reference, const std::string& record) const {
  static const std::vector<Region> none;
  if (!planned_) {
    const auto found = by_name_.find(record);
    return found == by_name_.end() ? none : found->second;
  }
  if (reference >= records_) {
    throw std::invalid_argument(
        fmt::format("record '{}' is not in the plan, which has {} records with bases", record, records_));
  }
  const auto found = by_place_.find(reference);
  if (found == by_place_.end()) return none;
  if (found->second.name != record) {
    throw std::invalid_argument(
        fmt::format("record {} with bases is '{}', the plan has '{}'", reference + 1, record, found->second.name));
  }
  return found->second.regions;
}

std::string print_region(const std::string& record, const Region& region) {
  if (region.end < kToTheEnd) return fmt::format("{}:{}-{}", record, region.begin + 1, region.end);
  return region.begin == 0 ? record : fmt::format("{}:{}-", record, region.begin + 1);
}

std::string cut_region(const std::string& record, const Region& region, std::int64_t length) {
  return fmt::format("region {} ends past the end of the record, which has {} bases: it is cut there",
                     print_region(record, region), length);
}

void warn_of_regions(const std::vector<std::string>& warnings, const std::function<void(const std::string&)>& warn) {
  constexpr std::size_t kMaxWarnings = 3;
  for (std::size_t i = 0; i < std::min(kMaxWarnings, warnings.size()); ++i) warn(warnings[i]);
  if (warnings.size() > kMaxWarnings) {
    warn(fmt::format("{} more regions end past the end of their record", warnings.size() - kMaxWarnings));
  }
}

std::vector<Region> widened(const std::vector<Region>& regions, std::int64_t left, std::int64_t right) {
  std::vector<Region> wide;
  for (const Region& region : regions) {
    const std::int64_t begin = std::max<std::int64_t>(0, region.begin - left);
    if (!wide.empty() && begin <= wide.back().end) {
      wide.back().end = region.end + right;
    } else {
      wide.push_back({begin, region.end + right});
    }
  }
  return wide;
}

}  // namespace basesweep
