// Regions as users write them: --region and BED files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/region_set.hpp"

namespace basesweep {

// Adds one region: "record", "record:from" or "record:from-to". Positions are 1-based, `to` is included, and numbers
// may have commas. A record whose own name ends like ":1-100" is written in braces: "{record}:from-to". Throws
// UsageError.
void add_region(const std::string& text, RegionSet& regions);

// A line of BED.
struct NamedRegion {
  std::string record;
  std::int64_t begin;  // 0-based
  std::int64_t end;    // exclusive
  std::string name;    // its fourth column; "": there is none
};

// The regions of a BED file ("-": stdin): record, start, end in its first three columns, 0-based and half-open. Lines
// that begin with '#', "track" or "browser" are ignored. Throws IoError, and DataError with path, line and what was
// expected.
std::vector<NamedRegion> read_bed(const std::string& path);
// The same of its text, which was read already.
std::vector<NamedRegion> parse_bed(std::string_view text, const std::string& path);
// Adds them to a set.
void add_bed(const std::string& path, RegionSet& regions);
void add_bed(const std::vector<NamedRegion>& bed, RegionSet& regions);
// Throws DataError for a region whose names cannot stand in a table.
void check_names(const std::vector<NamedRegion>& regions, const std::string& path);

}  // namespace basesweep
