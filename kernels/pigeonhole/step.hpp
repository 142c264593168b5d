// The steps of `pigeonhole`: a gram's key, the check of a piece, and the window of text that a piece asks for.
#pragma once

#include <cstdint>

#include "kernels/pigeonhole/index.hpp"
#include "lib/host_device.hpp"

namespace basesweep::pigeonhole {

// The key of the gram whose first columns are the low bits of lo and hi.
BASESWEEP_HD std::uint32_t key_of(std::uint64_t lo, std::uint64_t hi, std::uint32_t gram) {
  const std::uint32_t mask = (1U << gram) - 1;
  return (static_cast<std::uint32_t>(lo) & mask) | (static_cast<std::uint32_t>(hi) & mask) << gram;
}

// Whether the whole piece is where its gram, at column `at`, has been found.
BASESWEEP_HD bool piece_is_at(const Occurrence& o, const PieceCheck* checks, const std::uint64_t* text_lo,
                              const std::uint64_t* text_hi, std::uint32_t at) {
  if (o.check == kNoCheck) return true;
  if (at < o.before) return false;
  const PieceCheck& check = checks[o.check];
  const std::uint64_t lo = columns_at(text_lo, at - o.before);
  const std::uint64_t hi = columns_at(text_hi, at - o.before);
  const std::uint64_t low = (lo & check.base[1]) | (~lo & check.base[0]);
  const std::uint64_t high = (lo & check.base[3]) | (~lo & check.base[2]);
  return ((hi & high) | (~hi & low)) == ~std::uint64_t{0};
}

// Where the alignments lie that match the piece exactly: with at most k edits on either side of it they start at most k
// columns from where the entry would start without edits, and end at most k from where it would end.
struct Window {
  std::uint32_t begin;       // no alignment starts before
  std::uint32_t first, end;  // last columns of alignments
};

BASESWEEP_HD Window window_of(const Occurrence& o, const VerifyEntry& entry, std::uint32_t at, std::uint32_t columns) {
  const auto start = static_cast<std::int64_t>(at) - o.offset;
  const std::int64_t edits = entry.edits;
  const std::int64_t last = start + entry.length - 1;
  const auto clip = [columns](std::int64_t column) {
    return static_cast<std::uint32_t>(column < 0 ? 0 : column < columns ? column : columns);
  };
  return {clip(start - edits), clip(last - edits), clip(last + edits + 1)};
}

}  // namespace basesweep::pigeonhole
