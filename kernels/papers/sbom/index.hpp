// The index of `sbom`: the factor oracle of the reversed queries, cut to the length of the shortest (Kouzinopoulos and
// others 2015, section 2.1.3).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/tables/starts.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::sbom {

// The index as plain pointers. States are numbered by depth, so that those where random text stays lie side by side.
struct IndexView {
  const std::uint32_t* next;  // [4 state + code]: the next state, never the root; 0: there is none
  StartsView starts;
  std::uint32_t shortest;  // positions of a window, which is as long as the shortest query
};

struct Index {
  // Indexes the given queries of the set, at least one; none may have IUPAC codes. Throws Error when the oracle would
  // have 2^31 states or more.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  IndexView view() const { return {next.data(), starts.view(), starts.shortest}; }

  std::vector<std::uint32_t> next;
  Starts starts;
};

}  // namespace basesweep::sbom
