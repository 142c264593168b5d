// Assigns queries to algorithms, when the user leaves that open (`auto`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/search/make_matcher.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// The queries of one algorithm.
struct Share {
  Algorithm algorithm;
  std::vector<std::uint32_t> queries;  // indices into PatternSet::queries()
  std::string reason;                  // why this algorithm, for the user
};

struct Assignment {
  std::vector<Share> shares;    // every query is in one share, and every algorithm in at most one
  double seconds_per_base = 0;  // expected for random text, on one CPU thread or on a GPU
};

// Assigns all queries by the measured costs of the algorithms on a device (docs/benchmarks.md). assign_approximate()
// calls bad_pattern() for a query that no algorithm takes. `expected_bases` of text pay for tables, which may take
// `table_bytes`, unless they are ready in `tables` (both as in MatcherOptions).
Assignment assign_exact(const PatternSet& patterns, Device device, Output output);
// The share of queries with IUPAC codes, which only planes takes, and the seconds per base that it costs alone.
Share share_with_iupac(std::vector<std::uint32_t> queries);
double seconds_with_iupac(std::size_t queries);
// The assignment for text like this sample, on the CPU: all queries without IUPAC codes are given to one algorithm
// where that is expected to be faster than `assigned`, which is for random text.
Assignment assign_by_text(Assignment assigned, const PatternSet& patterns, const TextSample& text,
                          double expected_bases);
Assignment assign_approximate(const PatternSet& patterns, Device device, double expected_bases,
                              std::optional<std::uint64_t> table_bytes = std::nullopt,
                              const StoredTables* tables = nullptr);

// The choice of make_matcher() if the algorithm is left open.
struct AutomaticAssignment {
  Assignment cpu;
  std::optional<Assignment> gpu;  // of the GPU that may help it
};
// Makes the choice of make_matcher() for Device::automatic: whether a GPU may help, and which algorithms get the
// queries. Logs the reason for the device to options.log. Throws like make_matcher().
AutomaticAssignment assign_automatic(const PatternSet& patterns, const MatcherOptions& options);

}  // namespace basesweep
