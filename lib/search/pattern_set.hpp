// The patterns of a run, and the queries that matchers search for: each pattern on each strand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/search/occurrence.hpp"
#include "lib/search/pattern.hpp"
#include "lib/search/query.hpp"

namespace basesweep {

struct EditOptions;  // lib/search/edit_options.hpp

// The patterns and their queries; immutable, and copies share the sets of the queries. Queries are sorted by length,
// strand (+ first) and pattern, so that exact occurrences sorted by (start, query index) are in output order.
class PatternSet {
 public:
  // For an exact search. Calls bad_pattern() for an empty sequence, a letter outside IUPAC, or a name used twice.
  // Limits of patterns are ignored.
  // A palindromic pattern (its sets equal those of its reverse complement) has one query, on strand +, unless
  // `palindromes` is both (then two) or `strands` is minus (then one, on strand -).
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes);
  // For an approximate search. Calls bad_pattern() also for a pattern that is not longer than its edits, or shorter
  // than its two clamps together, or has no edits where `edits` has none for all. A palindromic pattern whose two ends
  // have different clamps, or may hang over differently, is searched on both strands.
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
             const EditOptions& edits);

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Query>& queries() const { return queries_; }
  std::uint32_t max_length() const { return max_length_; }  // of a query, in bases; 0 without patterns
  // Whether this is an approximate search. It is one even if 0 edits are allowed.
  bool approximate() const { return approximate_; }
  Finds finds() const { return approximate_ ? Finds::ends : Finds::starts; }
  std::uint32_t max_edits() const { return max_edits_; }  // of Limits::edits
  bool overhangs() const { return overhangs_; }  // whether EditOptions allow it; clamps may forbid it to every query
  // Whether the pattern of this index is its own reverse complement, with all its sequences.
  bool palindromic(std::size_t pattern) const { return palindromic_[pattern] != 0; }

 private:
  PatternSet(std::vector<Pattern> patterns, StrandChoice strands, PalindromeChoice palindromes,
             const EditOptions* edits);
  std::vector<Pattern> patterns_;
  std::shared_ptr<BaseSet[]> sets_;  // of all queries
  std::vector<Query> queries_;
  std::vector<std::uint8_t> palindromic_;  // 0 or 1, by pattern
  std::uint32_t max_length_ = 0;
  std::uint32_t max_edits_ = 0;
  bool approximate_ = false;
  bool overhangs_ = false;
};

}  // namespace basesweep
