// Hits within a batch: as matchers give them, and as they are written.
#pragma once

#include <cstdint>
#include <vector>

namespace basesweep {

enum class Strand : std::uint8_t { plus, minus };

constexpr char strand_letter(Strand strand) { return strand == Strand::plus ? '+' : '-'; }

// What a matcher finds, 8 bytes: a column in the high half, the index of the PatternSet entry in the low half. Exact
// search: the hit's first column. Entries are ordered by length, strand and pattern, and pieces of a batch by record
// and offset, so integer order of BatchHit is the total order of hits: record, start, end, strand (+ before -),
// pattern. Approximate search: the last column of a place where some alignment of the entry ends, see Matcher.
using BatchHit = std::uint64_t;

constexpr BatchHit make_hit(std::uint32_t column, std::uint32_t entry) {
  return static_cast<BatchHit>(column) << 32 | entry;
}
constexpr std::uint32_t hit_column(BatchHit hit) { return static_cast<std::uint32_t>(hit >> 32); }
constexpr std::uint32_t hit_entry(BatchHit hit) { return static_cast<std::uint32_t>(hit); }

// A hit on its way to the output, 16 bytes: columns [column, column + length) of its batch.
struct Hit {
  std::uint32_t column;
  std::uint32_t length;
  std::uint32_t entry : 31;
  std::uint32_t first : 1;  // of its pattern in the output; the selector sets it
  std::uint16_t edits;      // all, and the indels among them
  std::uint16_t indels;
  bool operator==(const Hit&) const = default;
};

// What matching one batch gives: hits in order, without duplicates, or, when only counts were asked for, hits per
// entry.
struct MatchResult {
  std::vector<BatchHit> hits;
  std::vector<std::uint64_t> counts;
};

}  // namespace basesweep
