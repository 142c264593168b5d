// The .fai index of a FASTA file, as `samtools faidx` writes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"

namespace basesweep {

// One line of the index. Offsets count bytes of the decompressed text.
struct FaiRecord {
  RecordInfo info;
  std::int64_t offset;      // of the first base
  std::int64_t line_bases;  // bases of every line except the last
  std::int64_t line_bytes;  // the same with the line end

  // Offset of a base of the record, 0-based.
  std::int64_t byte_of(std::int64_t base) const { return offset + base / line_bases * line_bytes + base % line_bases; }
};

// Reads an index file. samtools leaves out records without bases, and all but the first record of a name. Throws
// IoError, and DataError with file and line when a line is not five tab-separated columns: name, number of bases,
// offset, bases of a line, bytes of a line.
std::vector<FaiRecord> read_fai_file(const std::string& index);

// Whether there is an index PATH.fai beside the file, last modified no earlier than the file. For a
// URL, whether the server has it; throws IoError when that cannot be found out.
bool has_fai(const std::string& path);

}  // namespace basesweep
