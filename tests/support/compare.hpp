// What an exact matcher finds beside what it should.
#pragma once

#include <string>
#include <vector>

#include "lib/matcher.hpp"
#include "tests/oracle/naive.hpp"
#include "tests/support/batches.hpp"

namespace support {

// The lib/ objects for a question's patterns and strands. Patterns are named p0, p1...
basesweep::PatternSet pattern_set(const oracle::Question& question);

// What differs first, in words; "" where nothing does. The matcher gives hits, or counts. Throws what it threw.
std::string compare_hits(basesweep::Matcher& matcher, const Batches& batches, const basesweep::PatternSet& set,
                         const std::vector<oracle::Hit>& expected);
std::string compare_counts(basesweep::Matcher& matcher, const Batches& batches, const basesweep::PatternSet& set,
                           const std::vector<oracle::Hit>& expected);

}  // namespace support
