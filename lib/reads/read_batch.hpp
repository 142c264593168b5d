// Reads on their way through `map`: as they are printed, and as kernels search for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/host_device.hpp"
#include "lib/isa.hpp"
#include "lib/pattern_set.hpp"
#include "lib/reads/raw_reads.hpp"

namespace basesweep {

// Longer reads are not searched for.
inline constexpr std::uint32_t kMostReadLength = 2048;

// Why a read is not searched for.
enum class Unsought : std::uint8_t {
  none,       // it is searched for
  too_long,   // longer than kMostReadLength
  too_short,  // not longer than the edits it may have
  no_bases,   // has no A, C, G or T
};

// A read as it is printed. What it points to lives as long as its batch.
struct Read {
  std::string_view name;     // first word of the title; a mate's without /1 or /2
  std::string_view letters;  // as SAM has them: upper case, T for U, N for what is no IUPAC code
  std::string_view quality;  // as FASTQ has it; empty: not known
  Unsought unsought = Unsought::none;
};

// A strand of a read as it is searched for on the forward text. Entry 2 i is strand + of read i, entry 2 i + 1 its
// strand -, the reverse complement.
struct SoughtEntry {
  std::uint32_t first_word;
  std::uint16_t length;  // columns; 0: not searched for
  std::uint16_t edits;   // allowed; less than length

  BASESWEEP_HD std::uint32_t words() const { return (length + 63U) / 64; }
};

// As kernels take it, by value. The columns of an entry fill its words from the top down, so that the last column is
// the highest bit of the last word: column i is bit (spare + i) % 64 of word first_word + (spare + i) / 64, spare =
// 64 words - length. What is not A, C, G or T matches nothing. One
// word past the last can be read.
struct SoughtView {
  const std::uint64_t* lo;  // planes of base codes; 0 where not known
  const std::uint64_t* hi;
  const std::uint64_t* known;  // the column is A, C, G or T; 0 for spare bits
  const SoughtEntry* entries;
  std::uint32_t entry_count;
  std::uint32_t word_count;
};

// What is asked of every read. Exactly one of `edits` and `rate` is set.
struct ReadOptions {
  std::optional<std::uint32_t> edits{};
  std::optional<double> rate{};  // edits = floor(rate x length)
  StrandChoice strands = StrandChoice::both;
  bool paired = false;  // reads 2 i and 2 i + 1 are mates
  Isa isa = best_isa();
};

struct ReadBatch {
  std::uint64_t number = 0;  // place in the order of the input
  std::vector<Read> reads;
  std::vector<SoughtEntry> entries;  // two a read
  std::vector<std::uint64_t> lo, hi, known;
  // What is wrong with the input behind these reads (DataError); nothing more comes.
  std::exception_ptr error;

  SoughtView sought() const {
    return {lo.data(),
            hi.data(),
            known.data(),
            entries.data(),
            static_cast<std::uint32_t>(entries.size()),
            static_cast<std::uint32_t>(lo.size())};
  }

  // Owners of what the reads point to.
  RawReads raw;
  std::unique_ptr<char[]> letters;
  std::vector<std::unique_ptr<std::string>> joined;  // qualities that span lines
};

// Makes a batch of records. What is wrong with a record ends the batch before it, or before its pair, and is told in
// ReadBatch::error: DataError naming file, record and position for a byte that is not sequence (as in `match`), a
// quality outside of ! to ~, a name that SAM does not allow ([!-?A-~]{1,254}), mates whose names differ. A palindromic
// read (equal to its reverse complement) is searched for on strand + only, unless `strands` is minus. Thread-safe.
ReadBatch parse_reads(RawReads raw, const ReadOptions& options);

}  // namespace basesweep
