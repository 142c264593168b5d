// Occurrences and hits: what a matcher finds in a batch, and what is written for it.
#pragma once

#include <cstdint>
#include <vector>

namespace basesweep {

enum class Strand : std::uint8_t { plus, minus };

constexpr char strand_letter(Strand strand) { return strand == Strand::plus ? '+' : '-'; }

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

// A hit on its way to the output, in 20 bytes. It covers positions [position, position + length) of its batch, which
// are in one segment.
struct Hit {
  std::uint32_t position;       // in the batch, 0-based
  std::uint32_t length;         // in text positions
  std::uint32_t query : 31;     // index into PatternSet::queries(); in `map` into the queries of the ReadBatch
  std::uint32_t first : 1;      // 1: the first hit of its pattern in the output; HitSelector sets it
  std::uint16_t edits;          // mismatches and indels together
  std::uint16_t indels;         // inserted and deleted bases among the edits
  std::uint16_t hang_left = 0;  // bases of the query before the record's start; 0 unless position is the record's first
  std::uint16_t hang_right = 0;  // bases of the query past the record's end

  // The edits by which hits are compared: a base of the query outside the record counts as an edit.
  std::uint32_t edits_and_hang() const { return std::uint32_t{edits} + hang_left + hang_right; }
  bool operator==(const Hit&) const = default;
};

// The result for one batch. One of the two is empty, see Output.
struct MatchResult {
  std::vector<Occurrence> occurrences;  // sorted, without duplicates
  std::vector<std::uint64_t> counts;    // occurrences of each query of the PatternSet
  bool too_many = false;                // there are more than PackedBatch::max_occurrences; both lists are useless
};

}  // namespace basesweep
