// What inputs hold, found out in a first pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/reader/reader.hpp"
#include "lib/record_info.hpp"

namespace basesweep {

// Names and lengths of the records that have bases, in order, of FASTA read to its end on so many threads. Throws as
// Reader and Batcher, and UsageError where one of several inputs is FASTQ.
std::vector<RecordInfo> scan_records(Reader& reader, int threads);

// How many records come from a reader that cuts at records, and the digest (MD5) of their names.
struct RecordCount {
  std::int64_t records = 0;
  std::string names;
};
RecordCount count_records(Reader& reader);

}  // namespace basesweep
