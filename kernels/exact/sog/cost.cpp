#include "kernels/exact/sog/cost.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/exact/sog/index.hpp"

namespace basesweep::sog {

// Fitted to 54 measurements of sets of 8 bases on 11 texts (docs/benchmarks.md, "Texts"): 8 of 10 are within 10 %.
double nanoseconds(const SampledSearch& search) {
  const auto whole = [&search](std::uint32_t e) { return search.patterns.queries()[e].sets.size() == kMaxGram; };
  if (!std::all_of(search.queries.begin(), search.queries.end(), whole)) return HUGE_VAL;
  const double hits = std::min(search.hits, 1.0);
  return 0.89 + 13.7 * search.hits + 4.8 * hits * (1 - hits);
}

}  // namespace basesweep::sog
