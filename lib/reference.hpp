// The reference of `map`: all records in one batch that stays.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/packed_batch.hpp"
#include "lib/reader/reader.hpp"
#include "lib/record_info.hpp"

namespace basesweep {

struct ReferenceOptions {
  std::string path;  // FASTA, plain, gzip or BGZF; "-" is stdin
  int threads = 1;
  bool md5 = false;  // of each record, for M5 in a SAM header
};

struct Reference {
  std::unique_ptr<PackedBatch> text;  // approximate, see BatcherOptions; Piece::reference counts `records`
  std::vector<RecordInfo> records;    // those that have bases
  std::vector<std::string> md5;       // of each, see Md5; empty: not asked for
  SourceInfo source;
};

// Reads with all threads. Throws IoError; DataError for bad input, FASTQ, no bases at all, records that SAM cannot name
// (see check_sam_records), 2^32 - 2^16 bases or more together.
Reference load_reference(const ReferenceOptions& options);

}  // namespace basesweep
