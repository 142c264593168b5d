// Lists of counts that grow as they are needed: element i is the count of i.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace basesweep {

inline void add_count(std::size_t i, std::vector<std::uint64_t>& counts, std::uint64_t times = 1) {
  if (i >= counts.size()) counts.resize(i + 1);
  counts[i] += times;
}

// Adds counts to others element by element.
inline void add_counts(const std::vector<std::uint64_t>& more, std::vector<std::uint64_t>& sum) {
  sum.resize(std::max(sum.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

}  // namespace basesweep
