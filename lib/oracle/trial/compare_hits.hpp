// Compares what an exact matcher finds with the hits of the oracle (lib/oracle/naive.hpp).
#pragma once

#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/pattern_set.hpp"

namespace trial {

// The question's patterns, named p0, p1 and so on, with its choice of strands and palindromes.
basesweep::PatternSet pattern_set(const oracle::Question& question);

// Runs the matcher, made for `set`, on all batches and describes the first difference; "" when there is none. The first
// function is for a matcher that lists occurrences, the second for one that counts them. Both throw what the matcher
// throws.
std::string compare_hits(basesweep::Matcher& matcher, const Batches& batches, const basesweep::PatternSet& set,
                         const std::vector<oracle::Hit>& expected);
std::string compare_counts(basesweep::Matcher& matcher, const Batches& batches, const basesweep::PatternSet& set,
                           const std::vector<oracle::Hit>& expected);

}  // namespace trial
