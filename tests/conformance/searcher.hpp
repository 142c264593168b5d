// Compares the matchers of all targets that take a pattern set with the oracle.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/compare_hits.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/make_matcher.hpp"
#include "tests/support/environment.hpp"

namespace conformance {

using trial::pattern_set;

// Returns the target's matcher. When the target declines the set and `may_decline` is true, notes it in the tally and
// returns null; when it is false, throws UsageError. Tables may be as large as pays for `expected_bases` of text.
std::unique_ptr<basesweep::Matcher> make_matcher(const support::Target& target, const basesweep::PatternSet& set,
                                                 bool may_decline, basesweep::Output output,
                                                 std::int64_t expected_bases = 100'000);

// True when an exact target does not take these patterns.
bool may_decline(const support::Target& target, const std::vector<std::string>& patterns);

// True when an approximate target may decline patterns of at most 2,048 positions: hamming declines indels, pigeonhole
// short seeds, bitsliced many edits, neighbors indels and many mismatches in few bases.
bool may_decline(const support::Target& target, const basesweep::EditOptions& edits);

struct Searcher {
  support::Target target;
  std::unique_ptr<basesweep::Matcher> hits;
  std::unique_ptr<basesweep::Matcher> counts;
};

// The matchers of one pattern set. Questions may differ in their texts, but not in patterns and strands.
class Searchers {
 public:
  explicit Searchers(const oracle::Question& question);

  // Compares every target with the oracle. Returns the first difference, with the input to repeat it, or "".
  // `cuts`: how to cut the text; null: at random for each target.
  std::string check(const oracle::Question& question, std::uint64_t seed, const trial::Cuts* cuts = nullptr);

 private:
  basesweep::PatternSet set_;
  std::vector<Searcher> searchers_;
};

}  // namespace conformance
