// The reference of `map`: all records, packed into one batch.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/read_queries.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

struct ReferenceOptions {
  std::string path{};  // FASTA, plain, gzip or BGZF; "-" is stdin
  int threads = 1;
  bool md5 = false;  // compute the digest of each record, for M5 in a SAM header
  // Only alignments that start in these regions count, so only text near them is kept; null: all. Must outlive the
  // reference.
  const RegionSet* regions = nullptr;
  // The records as the file's index has them; then only `windows` are read. Nothing: the file is read whole.
  std::optional<std::vector<RecordInfo>> records{};
  FastaWindows windows{};
};

// Text up to this many bases from a region matters: a read that starts in the region, or one that decides which
// alignments are sites, may reach that far.
inline constexpr std::uint32_t kReferenceHalo = 2 * kMaxReadLength;

struct Reference {
  std::unique_ptr<PackedBatch> text;  // as BatchOptions::approximate makes it; Segment::reference indexes `records`
  std::vector<RecordInfo> records;    // that have bases
  std::vector<std::string> md5;       // of each record, see Md5; empty: not computed
  SourceInfo source;
  LetterCounts letters;       // in the text that was read
  RegionWarnings warnings{};  // about the requested regions
};

// Reads and packs the file with all threads. Throws IoError; DataError for bad input, FASTQ, a file without bases,
// records that SAM cannot list (see check_sam_records), or 2^32 - 2^16 bases or more in all.
Reference load_reference(const ReferenceOptions& options);

// The same for text that comes from somewhere else, as FASTA. `options.path`: for messages.
Reference load_reference(BlockSource& source, const ReferenceOptions& options);

}  // namespace basesweep
