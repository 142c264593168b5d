// The reference of `map`: all records in one batch that stays.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/packed_batch.hpp"
#include "lib/reader/reader.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/record_info.hpp"
#include "lib/regions/region_set.hpp"

namespace basesweep {

struct ReferenceOptions {
  std::string path;  // FASTA, plain, gzip or BGZF; "-" is stdin
  int threads = 1;
  bool md5 = false;  // of each record, for M5 in a SAM header
  // Only places that start there count, so that only what is near them is kept; null: all.
  const RegionSet* regions = nullptr;
  // The records as the file's index has them, and what of it to read; without, it is read whole.
  std::optional<std::vector<RecordInfo>> records{};
  FastaWindows windows{};
};

// How far from a region a read that starts in it, or one that bears on which places are sites, may reach.
inline constexpr std::uint32_t kReferenceHalo = 2 * kMostReadLength;

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
