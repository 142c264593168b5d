// Which approximate algorithm takes which entries when the user leaves that open.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/matcher.hpp"

namespace basesweep {

struct PlanShare {
  Algorithm algorithm;
  std::vector<std::uint32_t> entries;
};

struct ApproximatePlan {
  std::vector<PlanShare> shares;  // of all entries, each once
  double seconds_per_base = 0;    // expected, of random text: of one CPU thread, or of a GPU
};

// By what the algorithms were measured to cost on the device (docs/benchmarks.md). bad_pattern() where none takes an
// entry.
ApproximatePlan plan_approximate(const PatternSet& patterns, Device device);

}  // namespace basesweep
