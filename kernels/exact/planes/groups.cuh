// Filters whose positions are in groups that have the same base.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/exact/planes/index.hpp"
#include "lib/base/dna.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::planes {

// Eight positions of a query among its first 32. Where a word has the base of a group is worked out once, and then
// shifted for each of the group's positions: fewer instructions than shifting both planes for each position.
template <int... kSizes>
struct GroupFilter {
  static constexpr int kGroups = sizeof...(kSizes);
  static_assert((kSizes + ...) == kFilterPositions);

  std::uint32_t flip_lo[kGroups], flip_hi[kGroups];  // all ones where that code bit of the base is 0
  std::uint32_t positions[kFilterPositions];         // in the order of groups

  static BASESWEEP_HD constexpr int size(int group) {
    int g = 0;
    int found = 0;
    ((g++ == group ? found = kSizes : 0), ...);
    return found;
  }
};
using Quads = GroupFilter<4, 4>;
using QuadAndPairs = GroupFilter<4, 2, 2>;

// The filter of a query, if it has such groups. A group gets rather a base that no group has yet, nor its complement.
// Groups of four must: text that is rich in A and T, or in C and G, then still passes few candidates.
template <int... kSizes>
std::optional<GroupFilter<kSizes...>> group_filter(std::span<const BaseSet> sets) {
  std::vector<std::uint32_t> places[4];  // of each base
  for (std::uint32_t c = 0; c < std::min<std::size_t>(sets.size(), 32); ++c) {
    if (is_single_base(sets[c])) places[single_base(sets[c])].push_back(c);
  }
  GroupFilter<kSizes...> filter{};
  bool used[4] = {};
  int c = 0;
  for (int g = 0; g < filter.kGroups; ++g) {
    const auto size = static_cast<std::size_t>(filter.size(g));
    const auto rank = [&](unsigned code) {
      return places[code].size() < size ? 0 : used[code] ? 1 : used[complement(code)] ? 2 : 3;
    };
    unsigned best = 0;
    for (unsigned code = 1; code < 4; ++code) {
      if (rank(code) > rank(best)) best = code;
    }
    if (rank(best) < (size == 4 ? 3 : 1)) return std::nullopt;
    used[best] = true;
    filter.flip_lo[g] = (best & 1) != 0 ? 0 : ~0U;
    filter.flip_hi[g] = (best & 2) != 0 ? 0 : ~0U;
    for (std::size_t k = 0; k < size; ++k) {
      filter.positions[c++] = places[best].back();
      places[best].pop_back();
    }
  }
  return filter;
}

}  // namespace basesweep::planes
