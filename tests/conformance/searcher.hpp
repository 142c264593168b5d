// A pattern set and the matchers of all targets that take it, to be compared with the oracle.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/matcher.hpp"
#include "tests/oracle/naive.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/environment.hpp"

namespace conformance {

using support::pattern_set;

// The matcher, or null where the target declines the set, which `may_decline` says it is entitled to; that is noted in
// the tally.
std::unique_ptr<basesweep::Matcher> make_matcher(const support::Target& target, const basesweep::PatternSet& set,
                                                 bool may_decline, basesweep::Output output);

// Whether an exact target is made for other patterns than these.
bool may_decline(const support::Target& target, const std::vector<std::string>& patterns);

// Whether an approximate target is entitled to decline patterns of at most 2,048 columns: hamming indels, pigeonhole
// short pieces, bitsliced too many edits.
bool may_decline(const support::Target& target, const basesweep::EditOptions& edits);

struct Searcher {
  support::Target target;
  std::unique_ptr<basesweep::Matcher> hits;
  std::unique_ptr<basesweep::Matcher> counts;
};

// Matchers of one pattern set. Texts may change from question to question, patterns and strands may not.
class Searchers {
 public:
  explicit Searchers(const oracle::Question& question);

  // Compares every target with the oracle. Returns what differs, as text that allows to repeat it; "" when nothing
  // does. `chunking` null: each target gets its own, by chance.
  std::string check(const oracle::Question& question, std::uint64_t seed, const support::Chunking* chunking = nullptr);

 private:
  basesweep::PatternSet set_;
  std::vector<Searcher> searchers_;
};

}  // namespace conformance
