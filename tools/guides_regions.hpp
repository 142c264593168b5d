// The regions that `guides --design` takes its guides from.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lib/guides/text_sites.hpp"
#include "tools/text_job.hpp"

namespace basesweep {

struct GuidesOptions;

// Reads the file of regions, which may be a pipe, for all uses.
void read_regions_file(RegionOptions& options);

// The regions one by one, as they are given. If a text may mean a record or a part of one, `records` shows which it is.
std::vector<NamedRegion> given_regions(const RegionOptions& options,
                                       const std::unordered_set<std::string_view>& records);

// Warns of the regions without guides. has_guides[i]: region i has some.
void warn_of_regions_without(const std::vector<NamedRegion>& regions, const std::vector<bool>& has_guides,
                             const Run& run);

// Regions of a text whose records are known from its index.
struct IndexedRegions {
  std::vector<NamedRegion> given;
  RegionSet all = RegionSet::of_names();
  RegionWarnings warnings;
  std::vector<RecordInfo> records;  // of the text, those that have bases
};

// The regions of the options, if comparing their guides with the text at once is faster than searching for them as a
// library: they are a good part of the text, and an index tells so. Nothing otherwise. Throws UsageError if options
// conflict, and IoError or DataError for a file of regions that cannot be read.
std::optional<IndexedRegions> large_regions(GuidesOptions& options);

// Of each region, the sites of the text that start in it. A text may have several records of one name.
std::vector<std::vector<SiteRange>> sites_in(const std::vector<NamedRegion>& regions, const TextSites& sites);

// Of each region, whether a site in its ranges is a guide.
std::vector<bool> have_guides(const std::vector<std::vector<SiteRange>>& ranges, const TextSites& sites);

}  // namespace basesweep
