// Regions as users write them: --region and BED files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/region_set.hpp"

namespace basesweep {

// Adds one region: "record", "record:from" or "record:from-to". Positions are 1-based, `to` is included, and numbers
// may have commas. A text that ends like a range may also be the name of a record, see EitherRegion; in braces, as in
// "{record}" and "{record}:from-to", a name is a name. Throws UsageError.
void add_region(const std::string& text, RegionSet& regions);

// Whether the second and third column of the first line of a table name columns, and hold no start and end.
bool names_columns(std::string_view start, std::string_view end);

// A line of BED.
struct NamedRegion {
  std::string record;
  std::int64_t begin;  // 0-based
  std::int64_t end;    // exclusive
  std::string name;    // its fourth column; "": there is none
};

// The regions of a BED file ("-": stdin): record, start, end in its first three columns, 0-based and half-open. Lines
// that begin with '#', "track" or "browser" are ignored, and so is a first line of column names. Throws IoError, and
// DataError with path, line and what was expected.
std::vector<NamedRegion> read_bed(const std::string& path);
// The same of its text, which was read already.
std::vector<NamedRegion> parse_bed(std::string_view text, const std::string& path);
// Adds them to a set. `absent`: what becomes of regions whose record the input lacks.
void add_bed(const std::string& path, AbsentRecord absent, RegionSet& regions);
void add_bed(const std::vector<NamedRegion>& bed, AbsentRecord absent, RegionSet& regions);
// Throws DataError for a region whose names cannot stand in a table.
void check_names(const std::vector<NamedRegion>& regions, const std::string& path);

}  // namespace basesweep
