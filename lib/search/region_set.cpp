#include "lib/search/region_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "lib/base/error.hpp"
#include "lib/base/nearest.hpp"

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

// "chrM, chrY and 3 more"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  const std::size_t shown = std::min(kMost, names.size());
  const std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

DataError absent_record(const std::string& input, const std::string& name, const std::vector<std::string>& known) {
  return DataError(fmt::format("{}: no record '{}' with bases, but a region of it is requested{}", input, name,
                               did_you_mean(name, known)));
}

}  // namespace

void RegionSet::add(const std::string& record, Region region, AbsentRecord absent) {
  insert(by_name_[record], region);
  if (region.begin >= region.end) return;
  if (absent == AbsentRecord::refused) {
    required_.insert(record);
  } else {
    ++expected_[record];
  }
}

void RegionSet::add(const EitherRegion& either) {
  insert(by_name_[either.text], {0, kToTheEnd});
  insert(by_name_[either.record], either.region);
  either_.push_back(either);
}

std::string RegionSet::check_names(const HasRecord& has, const std::vector<std::string>& known,
                                   const std::string& input) const {
  for (const std::string& name : required_) {
    if (!has(name)) throw absent_record(input, name, known);
  }
  for (const auto& [text, record, region] : either_) {
    const bool whole = has(text);
    if (whole && has(record)) {
      throw DataError(
          fmt::format("{}: region {} may mean the record '{}' or a part of the record '{}': write {{{}}} or {}", input,
                      text, text, record, text, print_region(fmt::format("{{{}}}", record), region)));
    }
    if (!whole && !has(record)) {
      throw DataError(fmt::format("{}: no record '{}' (nor '{}') with bases, but a region of it is requested{}", input,
                                  record, text, did_you_mean(record, known)));
    }
  }
  std::vector<std::string> absent;
  std::int64_t regions = 0;
  std::int64_t all = 0;
  for (const auto& [name, count] : expected_) {
    all += count;
    if (has(name)) continue;
    absent.push_back(name);
    regions += count;
  }
  if (absent.empty()) return "";
  if (absent.size() == expected_.size() && required_.empty() && either_.empty()) {
    throw absent_record(input, absent.front(), known);
  }
  return fmt::format("{}: {} of {} regions are on records that it does not have: {}", input, regions, all,
                     some_of(absent));
}

std::string RegionSet::whole_name_of(const std::string& record) const {
  const auto found =
      std::find_if(either_.begin(), either_.end(), [&](const EitherRegion& one) { return one.record == record; });
  return found == either_.end() ? "" : found->text;
}

void RegionSet::add(std::int64_t reference, const std::string& record, std::int64_t length, Region region,
                    std::int64_t first_begin) {
  insert(by_place_.try_emplace(reference, PlannedRecord{record, length, first_begin, {}}).first->second.regions,
         region);
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

void warn_of_regions(const RegionWarnings& all, const std::function<void(const std::string&)>& warn) {
  if (!all.absent.empty()) warn(all.absent);
  const std::vector<std::string>& warnings = all.cut;
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
