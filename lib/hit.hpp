// Hits: as matchers give them, within a batch.
#pragma once

#include <cstdint>
#include <vector>

namespace basesweep {

enum class Strand : std::uint8_t { plus, minus };

constexpr char strand_letter(Strand strand) { return strand == Strand::plus ? '+' : '-'; }

// A hit in a batch, 8 bytes: its first column in the high half, the index of the PatternSet entry in the low half.
// Entries are ordered by length, strand and pattern, and pieces of a batch by record and offset, so integer order of
// BatchHit is the total order of hits: record, start, end, strand (+ before -), pattern.
using BatchHit = std::uint64_t;

constexpr BatchHit make_hit(std::uint32_t column, std::uint32_t entry) {
  return static_cast<BatchHit>(column) << 32 | entry;
}
constexpr std::uint32_t hit_column(BatchHit hit) { return static_cast<std::uint32_t>(hit >> 32); }
constexpr std::uint32_t hit_entry(BatchHit hit) { return static_cast<std::uint32_t>(hit); }

// What matching one batch gives: hits in order, or, when only counts were asked for, hits per entry.
struct MatchResult {
  std::vector<BatchHit> hits;
  std::vector<std::uint64_t> counts;
};

}  // namespace basesweep
