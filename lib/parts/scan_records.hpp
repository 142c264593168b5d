// A first pass over the input that lists or counts its records, for a plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/reader/reader.hpp"

namespace basesweep {

// Reads FASTA to its end on `threads` threads. Returns names and lengths of the records that have bases, in order.
// Throws like Reader and RecordCursor, and UsageError when one of several inputs is FASTQ.
std::vector<RecordInfo> scan_records(Reader& reader, int threads);

struct RecordCount {
  std::int64_t records = 0;
  std::string names;  // MD5 of their names, each followed by a line feed
  std::string first;  // the name of the first one
};
// The name of the first record that the block lists; "" if it lists none.
std::string first_name(const RawBlock& block);

// Counts the records of a reader that cuts at records.
RecordCount count_records(Reader& reader);

}  // namespace basesweep
