// How an input is cut into chunks, one job each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/record_info.hpp"
#include "lib/regions/region_set.hpp"

namespace basesweep {

// Part of a record that a chunk has: a row of the plan.
struct PlanRow {
  std::uint32_t chunk;     // from 1; 0: no chunk has any of the record, which is listed for headers
  std::int64_t reference;  // the record's place among those that have bases, over all inputs, from 0
  std::string record;
  Region region;
  std::int64_t length;  // of the record
  bool operator==(const PlanRow&) const = default;
};

enum class PlanUnit {
  bases,   // of FASTA
  records  // of FASTQ, or of reads: rows have no record, regions are ranges of record numbers, `length` is their number
};

inline constexpr std::uint32_t kMostChunks = 1'000'000;

struct Plan {
  PlanUnit unit = PlanUnit::bases;
  std::uint32_t chunks = 1;
  std::string names;  // of unit records: the digest (MD5) of their names, since numbers alone tell no inputs apart
  std::vector<PlanRow> rows;  // by chunk, then reference and region; those of chunk 0 first

  // The same for the same cuts of the same records, whatever file they are in.
  std::string digest() const;
  // All records, in the order of the input. Of unit bases.
  std::vector<RecordInfo> records() const;
  RegionSet regions_of(std::uint32_t chunk) const;
  // Of unit records: those that a chunk has.
  RecordRange range_of(std::uint32_t chunk) const;
};

// Chunks of about as many bases each. A record is cut only where it has more than an eighth of a chunk's bases; else
// the cut moves to its nearer end. `regions`: what of the records to cut up; null: all. Throws DataError naming a
// record that is not there, or a region past its record's end.
Plan plan_bases(const std::vector<RecordInfo>& records, const RegionSet* regions, std::uint32_t chunks);
// Chunks of about as many records each, cut at even numbers, so that mates that follow each other stay together.
Plan plan_records(std::int64_t records, const std::string& names, std::uint32_t chunks);

// As a table: a line of what it is, a line of column names, a line for each row. 0-based, half-open.
std::string print_plan(const Plan& plan);
// Throws IoError, and DataError naming line and what was expected.
Plan read_plan(const std::string& path);

// Regions as they can be in records of these lengths: throws DataError where one begins past its record's end, or the
// record is not there; else clips their ends. `records`: those that have bases.
void check_regions(const RegionSet& regions, const std::vector<RecordInfo>& records);

}  // namespace basesweep
