// The result of a matcher for a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/search/occurrence.hpp"

namespace basesweep {

// The content of a MatchResult. Counts are for Finds::starts only: the number of hits at ends is not known before they
// are resolved.
enum class Output { occurrences, counts };

// The result for one batch. One of the two is empty, see Output.
struct MatchResult {
  std::vector<Occurrence> occurrences;  // sorted, without duplicates
  std::vector<std::uint64_t> counts;    // occurrences of each query of the PatternSet
  bool too_many = false;                // there are more than PackedBatch::max_occurrences; both lists are useless
};

}  // namespace basesweep
