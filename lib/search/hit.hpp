// Hits: what is written for occurrences.
#pragma once

#include <cstdint>

namespace basesweep {

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

}  // namespace basesweep
