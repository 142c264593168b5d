// Counts as the bins of a histogram.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace basesweep {

// [[from, to, count], ...] without bins that are empty. `border(i)`: where bin i begins, and the one before it ends.
template <class Counts, class Border>
nlohmann::ordered_json bins_between(const Counts& counts, const Border& border) {
  nlohmann::ordered_json bins = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) bins.push_back({border(i), border(i + 1), counts[i]});
  }
  return bins;
}

}  // namespace basesweep
