// The index that `samtools faidx` makes of a FASTA file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/record_info.hpp"

namespace basesweep {

// A record as the index has it; numbers count bytes of decompressed text.
struct FaiRecord {
  RecordInfo info;
  std::int64_t offset;      // of the first base
  std::int64_t line_bases;  // of every line but the last
  std::int64_t line_bytes;  // with its line end

  // Where a base is.
  std::int64_t byte_of(std::int64_t base) const { return offset + base / line_bases * line_bytes + base % line_bases; }
};

// An index by itself. samtools lists no record without bases, and of those with the same name only the first. Throws
// DataError naming file and line when a line is not five columns, tabs between: name, number of bases, offset, bases
// and bytes of a line.
std::vector<FaiRecord> read_fai_file(const std::string& index);

// Whether there is an index, PATH.fai, beside the file that is not older than it (by time of modification).
bool has_fai(const std::string& path);

}  // namespace basesweep
