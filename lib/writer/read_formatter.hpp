// Prints reads as SAM or BAM.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lib/hit.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/reference.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// A read and where it is aligned.
struct PlacedRead {
  const Read* read;
  std::span<const Hit> hits;  // to be printed, the first is primary; none: unmapped. Hit::entry % 2: strand -
  std::uint64_t found;        // NH: hits there were, be they printed or not
  std::uint8_t mapq;          // of the primary; secondary ones get 0
};

struct ReadFormatOptions {
  bool binary = false;       // BAM, not yet compressed
  bool distinguish = false;  // = and X in CIGAR instead of M
  bool hits_only = false;    // leave out unmapped reads
  bool paired = false;
  std::int64_t least_insert = 0;  // template length of a proper pair
  std::int64_t most_insert = 1000;
  bool program = true;         // a @PG line
  std::string command_line{};  // CL of the @PG line
  std::string read_group{};    // as in SamOptions
  std::string comment{};       // a @CO line; empty: none
};

// SAM 1.6, in the order of the input (SO:unsorted, GO:query). Tags NM, MD (as `samtools calmd`), AS (less the edits),
// NH, XE (our edits), RG. Thread-safe once made.
class ReadFormatter {
 public:
  // `reference` must outlive it. UsageError for a read group that is not well formed.
  ReadFormatter(const Reference& reference, ReadFormatOptions options);
  ~ReadFormatter();

  // The header as text, and as the output begins.
  std::string header_text() const;
  std::string header() const;
  // Records of one read, or of a pair (two, first mate first).
  void append(std::span<const PlacedRead> reads, Text& text) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
