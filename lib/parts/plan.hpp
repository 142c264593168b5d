// A plan: how an input is cut into chunks, each for a job of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

// A row of the plan: the part of a record that belongs to a chunk.
struct PlanRow {
  std::uint32_t chunk;     // from 1; 0: no chunk has any of this record, but headers list it
  std::int64_t reference;  // number of the record among those with bases, over all inputs, from 0
  std::string record;      // its name
  Region region;           // 0-based, half-open
  std::int64_t length;     // of the record
  bool operator==(const PlanRow&) const = default;
};

// The unit that a plan cuts by.
enum class PlanUnit {
  bases,   // FASTA, which may be cut inside records
  records  // FASTQ or reads. Rows have no record; regions are ranges of record numbers, and `length` is their total
};

inline constexpr std::uint32_t kMaxChunks = 1'000'000;

struct Plan {
  PlanUnit unit = PlanUnit::bases;
  std::uint32_t chunks = 1;
  std::string names;          // unit records: MD5 of the names, since their number alone does not identify an input
  std::vector<PlanRow> rows;  // by chunk, reference and region; those of chunk 0 first
  std::string first{};  // unit records: the name of the first, by which each chunk sees whether its input is another

  // MD5 of the printed plan without its last line. It is the same for the same cuts of the same records, whatever files
  // they are in.
  std::string digest() const;
  // Unit bases: all records, in input order.
  std::vector<RecordInfo> records() const;
  // Whether the chunks have all bases of all records: the plan was made without regions. Always true for unit records.
  bool covers_all() const;
  // Unit bases: the regions of a chunk.
  RegionSet regions_of(std::uint32_t chunk) const;
  // Unit records: the records of a chunk.
  RecordRange range_of(std::uint32_t chunk) const;
};

// Cuts FASTA into chunks of about the same number of bases. A record is only cut if it has more than an eighth of a
// chunk's bases; otherwise the cut moves to the nearer end of the record. `regions`: the parts of the records that are
// searched, which check_regions() has seen; null: everything.
Plan plan_bases(const std::vector<RecordInfo>& records, const RegionSet* regions, std::uint32_t chunks);
// Cuts reads into chunks of about the same number of records. Cuts are at even numbers, so that mates stay together
// when they follow each other. `names`: MD5 of the records' names. `first`: the name of the first one.
Plan plan_records(std::int64_t records, const std::string& names, std::uint32_t chunks, const std::string& first = "");

// The plan as a table: a line that identifies it, a line of column names, one line for each row, and a last line with
// the number of rows and the digest, by which read_plan() sees that nothing is missing.
std::string print_plan(const Plan& plan);
// Reads a printed plan ("-": stdin). Throws IoError, and DataError with path, line and what was expected.
Plan read_plan(const std::string& path);

// Compares regions with the records that have bases. Throws like RegionSet::check_names(), and DataError when a region
// begins past its record's end. `input`: as messages name it.
RegionWarnings check_regions(const RegionSet& regions, const std::vector<RecordInfo>& records,
                             const std::string& input);

}  // namespace basesweep
