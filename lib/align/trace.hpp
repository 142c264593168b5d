// The alignment of a hit.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep {

// `length` columns of one kind, as in SAM: = match, X mismatch, I a column of the pattern without text, D text without
// a column of the pattern.
struct CigarRun {
  std::uint32_t length;
  char op;
  bool operator==(const CigarRun&) const = default;
};

// A least-cost alignment, by (edits, indels) within the entry's limits, of the whole entry to the whole of `letters`
// (forward strand, upper case; what is not A, C, G, T matches nothing). Walks back from the right end and takes the
// diagonal where it can, else D, else I, so that indels lie as far left as they can. Empty where there is none.
std::vector<CigarRun> trace(const Entry& entry, std::string_view letters);

}  // namespace basesweep
