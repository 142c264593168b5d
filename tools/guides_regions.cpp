#include "tools/guides_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

#include "lib/base/stream_names.hpp"
#include "lib/guides/guide_join.hpp"
#include "tools/guides_options.hpp"

namespace basesweep {

void read_regions_file(RegionOptions& o) {
  if (o.regions_file.empty() || o.bed) return;
  o.bed = read_bed(o.regions_file);
  check_names(*o.bed, o.regions_file);
}

std::vector<NamedRegion> given_regions(const RegionOptions& o, const std::unordered_set<std::string_view>& records) {
  std::vector<NamedRegion> regions;
  for (const std::string& text : o.regions) {
    RegionSet one = RegionSet::of_names();
    add_region(text, one);
    std::optional<NamedRegion> meant;
    for (const auto& [record, own] : one.by_name()) {
      if (!meant || records.count(record) != 0) meant = {record, own.front().begin, own.front().end, ""};
    }
    if (meant) regions.push_back(*meant);
  }
  if (!o.bed) return regions;
  std::copy_if(o.bed->begin(), o.bed->end(), std::back_inserter(regions),
               [](const NamedRegion& region) { return region.begin < region.end; });
  return regions;
}

void warn_of_regions_without(const std::vector<NamedRegion>& regions, const std::vector<bool>& has_guides,
                             const Run& run) {
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!has_guides[i]) empty.push_back(print_region(regions[i].record, {regions[i].begin, regions[i].end}));
  }
  constexpr std::size_t kNamed = 5;
  for (std::size_t i = 0; i < std::min(empty.size(), kNamed); ++i) {
    run.warn()(fmt::format("no guide in region {}", empty[i]));
  }
  if (empty.size() > kNamed) run.warn()(fmt::format("no guide in {} more regions", empty.size() - kNamed));
}

std::optional<IndexedRegions> large_regions(GuidesOptions& o) {
  if (!o.search.regions.any() || o.search.is_chunk()) return std::nullopt;
  GuidesOptions everywhere = o;
  everywhere.search.regions = {};
  if (!joins_text(everywhere)) return std::nullopt;
  GuidesOptions settled = o;
  settle(settled, false);
  read_regions_file(o.search.regions);
  try {
    const auto indices = find_indices(o.search.inputs, o.search.regions);
    if (!indices) return std::nullopt;
    IndexedRegions regions;
    regions.records = records_of(*indices);
    regions.all = *read_regions(o.search.regions);
    regions.warnings = check_regions(regions.all, regions.records, name_of_all(o.search.inputs));
    std::unordered_set<std::string_view> names;
    std::int64_t bases = 0;
    for (const RecordInfo& record : regions.records) {
      names.insert(record.name);
      bases += record.length;
    }
    const double least = least_part_to_join(device_of(o.search.device)) * static_cast<double>(bases);
    if (static_cast<double>(bases_in(regions.all, regions.records)) < least) return std::nullopt;
    regions.given = given_regions(o.search.regions, names);
    return regions;
  } catch (const std::exception&) {
    return std::nullopt;  // the search of a library finds the fault too, and tells it
  }
}

std::vector<std::vector<SiteRange>> sites_in(const std::vector<NamedRegion>& regions, const TextSites& sites) {
  const std::vector<SiteRecord>& records = sites.records();
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < records.size(); ++i) by_name[records[i].name].push_back(i);
  // The first site of a record that starts there or behind.
  const auto first_from = [&](std::size_t record, std::int64_t start) {
    std::uint64_t low = records[record].sites;
    for (std::uint64_t high = record + 1 < records.size() ? records[record + 1].sites : sites.size(); low < high;) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (sites.start_of(static_cast<std::uint32_t>(middle), records[record]) < start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return static_cast<std::uint32_t>(low);
  };
  std::vector<std::vector<SiteRange>> ranges(regions.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto own = by_name.find(regions[i].record);
    if (own == by_name.end()) continue;
    for (const std::size_t record : own->second) {
      const SiteRange range{first_from(record, regions[i].begin), first_from(record, regions[i].end)};
      if (range.begin != range.end) ranges[i].push_back(range);
    }
  }
  return ranges;
}

std::vector<bool> have_guides(const std::vector<std::vector<SiteRange>>& ranges, const TextSites& sites) {
  std::vector<bool> found(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (const SiteRange range : ranges[i]) {
      for (std::uint32_t site = range.begin; site < range.end && !found[i]; ++site) found[i] = sites.is_guide(site);
    }
  }
  return found;
}

}  // namespace basesweep
