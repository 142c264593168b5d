// The reference of `map`: all records in one batch that stays.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/packed_batch.hpp"
#include "lib/record_info.hpp"

namespace basesweep {

struct ReferenceOptions {
  std::vector<std::string> paths;  // FASTA, plain, gzip or BGZF; "-" is stdin
  int threads = 1;
  bool md5 = false;  // of each record, for M5 in a SAM header
};

struct Reference {
  std::unique_ptr<PackedBatch> text;  // approximate, see BatcherOptions; Piece::reference counts `records`
  std::vector<RecordInfo> records;    // those that have bases
  std::vector<std::string> md5;  // of each, hexadecimal: of upper-case letters, as SAM has it; empty: not asked for
};

// Reads with all threads. Throws IoError; DataError for bad input, FASTQ, no bases at all, a name that is used twice or
// that SAM does not allow, a record of 2^31 bases or more, 2^32 - 2^16 bases or more together.
Reference load_reference(const ReferenceOptions& options);

}  // namespace basesweep
