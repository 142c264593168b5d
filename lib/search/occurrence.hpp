// Occurrences: what a matcher finds in a batch.
#pragma once

#include <cstdint>

namespace basesweep {

// The kind of position that an algorithm reports. See Matcher for the contracts in full.
enum class Finds : std::uint8_t {
  starts,  // exact search: the first position of every occurrence, reported exactly once
  ends,    // approximate search: the last position of every alignment, reported at least once
};

// One occurrence of a query in a batch, in 8 bytes, so that sorting integers sorts occurrences: the high half is a
// position in the batch (0-based), the low half an index into PatternSet::queries(). Finds says which position it is.
//
// Queries are ordered by length, strand and pattern, and the segments of a batch by record and offset. Sorted
// occurrences of Finds::starts are therefore in output order: record, start, end, strand (+ first), pattern.
using Occurrence = std::uint64_t;

constexpr Occurrence make_occurrence(std::uint32_t position, std::uint32_t query) {
  return static_cast<Occurrence>(position) << 32 | query;
}
constexpr std::uint32_t occurrence_position(Occurrence occurrence) {
  return static_cast<std::uint32_t>(occurrence >> 32);
}
constexpr std::uint32_t occurrence_query(Occurrence occurrence) { return static_cast<std::uint32_t>(occurrence); }

}  // namespace basesweep
