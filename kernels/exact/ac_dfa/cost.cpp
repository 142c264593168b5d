#include "kernels/exact/ac_dfa/cost.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/exact/ac_dfa/index.hpp"

namespace basesweep::ac_dfa {
namespace {

constexpr double kBuildState = 90;  // nanoseconds, beyond what other algorithms need to be built

// The states of the automaton: one for each different front of a query.
std::size_t states_of(const SampledSearch& search) {
  std::vector<std::basic_string_view<BaseSet>> sorted;
  for (const std::uint32_t e : search.queries) {
    std::span<const BaseSet> sets = search.patterns.queries()[e].sets;
    sorted.emplace_back(sets.data(), sets.size());
  }
  std::sort(sorted.begin(), sorted.end());
  std::size_t states = 1;
  std::basic_string_view<BaseSet> before;
  for (const auto& query : sorted) {
    const auto same = std::mismatch(query.begin(), query.end(), before.begin(), before.end()).first;
    states += static_cast<std::size_t>(query.end() - same);
    before = query;
  }
  return states;
}

}  // namespace

// Fitted to 218 measurements on 11 texts (docs/benchmarks.md, "Texts"): 8 of 10 are within 8 %.
double nanoseconds(const SampledSearch& search) {
  constexpr std::size_t kMaxStates = std::size_t{1} << 20;  // more were not measured
  const std::size_t counted = states_of(search);
  if (counted > kMaxStates) return HUGE_VAL;
  const auto states = static_cast<double>(counted);
  const auto doublings = [states](double from) { return std::max(0.0, std::log2(states / from)); };
  const double hits = std::min(search.hits, 1.0);
  return kBuildState * states / search.bases + 0.41 + 0.027 * doublings(1'000) +
         0.11 * doublings(kPairRows) * doublings(kPairRows) +
         doublings(kNarrowStates) * (0.3 + 0.2 * doublings(kNarrowStates)) + 10.4 * search.hits +
         14.3 * hits * (1 - hits);
}

}  // namespace basesweep::ac_dfa
