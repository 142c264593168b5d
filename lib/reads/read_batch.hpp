// A batch of reads on its way through `map`: the reads as they are printed, and their queries as kernels take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/isa.hpp"
#include "lib/reads/raw_reads.hpp"
#include "lib/search/pattern.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep {

// The reason why a read is not searched for.
enum class Skipped : std::uint8_t {
  none,       // the read is searched for
  too_long,   // longer than kMaxReadLength
  too_short,  // not longer than the edits that it may have
  no_bases,   // without A, C, G or T
};

// A read as it is printed. The views point into its batch.
struct Read {
  std::string_view name;     // first word of the title; a mate's is that of the pair
  std::string_view letters;  // as SAM has them: upper case, T for U, N for letters that are not IUPAC codes
  std::string_view quality;  // as FASTQ has it, a character for each letter; empty: not known
  std::string_view tags{};   // that are kept, see ReadOptions::tags
  Skipped skipped = Skipped::none;
};

// How reads are searched for. Exactly one of `edits` and `rate` is set.
struct ReadOptions {
  std::optional<std::uint32_t> edits{};  // mismatches and indels that a read may have
  std::optional<double> rate{};          // edits as a part of the read's length, see edits_at_rate()
  StrandChoice strands = StrandChoice::both;
  bool paired = false;   // reads 2 i and 2 i + 1 of a batch are mates
  Isa isa = best_isa();  // the instruction set that packs the letters
  // Tags of the titles that are kept: "RG", "BC". A title has them behind the name, each after a tab, as
  // `samtools fastq -T` writes them.
  std::vector<std::string> tags{};
  bool binary_tags = false;  // Read::tags as BAM has them, not as SAM
};

struct ReadBatch {
  std::uint64_t number = 0;  // place among the batches of the input, from 0
  std::vector<Read> reads;
  std::vector<ReadQuery> queries;            // two for each read
  std::vector<std::uint64_t> lo, hi, known;  // planes of the queries, see ReadQueryView
  std::int64_t other_letters = 0;            // in the reads: not A, C, G, T, U or N
  // The fault in the input (DataError) that comes after these reads. No other batch follows.
  std::exception_ptr error;

  // Valid until the batch is changed.
  ReadQueryView view() const {
    return {lo.data(),
            hi.data(),
            known.data(),
            queries.data(),
            static_cast<std::uint32_t>(queries.size()),
            static_cast<std::uint32_t>(lo.size())};
  }

  // The text that the reads point to.
  RawReads raw;                                      // names and qualities
  std::unique_ptr<char[]> letters;                   // of all reads
  std::vector<std::unique_ptr<std::string>> joined;  // qualities that span lines, and tags
};

// Makes a batch of records. A fault in a record ends the batch before that record, or before its pair, and goes to
// ReadBatch::error. It is a DataError that names file, record and position: a byte that is not sequence (as in
// `match`), a quality outside of ! to ~, a name or a kept tag that SAM does not allow (lib/base/sam_names.hpp,
// sam_tags.hpp), a kept tag given twice, or mates whose names differ. A palindromic read (equal to its reverse
// complement) is searched for on strand + only, unless `strands` is minus. Thread-safe.
ReadBatch parse_reads(RawReads raw, const ReadOptions& options);

}  // namespace basesweep
