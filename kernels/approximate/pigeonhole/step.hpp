// The steps of `pigeonhole`, for the CPU and CUDA threads: the key of a gram, the check of a seed, and the window of
// text to verify around it.
#pragma once

#include <cstdint>

#include "kernels/approximate/pigeonhole/index.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::pigeonhole {

// The key of the gram whose first positions are the low bits of lo and hi.
BASESWEEP_HD std::uint32_t key_of(std::uint64_t lo, std::uint64_t hi, std::uint32_t gram) {
  const std::uint32_t mask = (1U << gram) - 1;
  return (static_cast<std::uint32_t>(lo) & mask) | (static_cast<std::uint32_t>(hi) & mask) << gram;
}

// Whether the text has the whole seed where its gram was found, at position `at`.
BASESWEEP_HD bool seed_is_at(const GramPlace& o, const MatchBlock* checks, const std::uint64_t* text_lo,
                             const std::uint64_t* text_hi, std::uint32_t at) {
  if (o.check == kNoCheck) return true;
  if (at < o.before) return false;
  const std::uint32_t begin = at - o.before;
  return mismatches(checks[o.check], positions_at(text_lo, begin), positions_at(text_hi, begin)) == 0;
}

// The stretch of text that holds all alignments that match the seed exactly.
BASESWEEP_HD VerifyWindow window_of(const GramPlace& o, const VerifyQuery& query, std::uint32_t at,
                                    std::uint32_t positions) {
  return window_around(query, static_cast<std::int64_t>(at) - o.offset, positions);
}

}  // namespace basesweep::pigeonhole
