// Which algorithm takes which entries when the user leaves that open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/matcher.hpp"

namespace basesweep {

struct PlanShare {
  Algorithm algorithm;
  std::vector<std::uint32_t> entries;
  std::string reason;  // for the user
};

struct Plan {
  std::vector<PlanShare> shares;  // of all entries, each once; of an algorithm at most one
  double seconds_per_base = 0;    // expected, of random text: of one CPU thread, or of a GPU
};

// By what the algorithms were measured to cost on the device (docs/benchmarks.md). plan_approximate() calls
// bad_pattern() where none takes an entry.
Plan plan_exact(const PatternSet& patterns, Device device, Output output);
Plan plan_approximate(const PatternSet& patterns, Device device);

// What make_matcher() takes where algorithm and device are left open, or the algorithm alone.
struct AutomaticPlan {
  Device device;
  Plan plan;
};
// options.log is told why the device. Throws as make_matcher() does.
AutomaticPlan plan_automatic(const PatternSet& patterns, const MatcherOptions& options);

}  // namespace basesweep
