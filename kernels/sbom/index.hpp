// What `sbom` prepares from the patterns: the factor oracle of the reversed entries, cut to the shortest one's length.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/starts.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::sbom {

// As plain pointers. States are numbered by depth, so that the ones where random text stays lie side by side.
struct IndexView {
  const std::uint32_t* next;  // [4 state + code]: where a base leads, which is never the root, state 0; 0: nowhere
  StartsView starts;
  std::uint32_t shortest;  // columns of a window: of the shortest entry
};

struct Index {
  // Takes the given entries of the set, at least one; none may have IUPAC codes. Throws Error when the oracle would
  // have 2^31 states or more.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  IndexView view() const { return {next.data(), starts.view(), starts.shortest}; }

  std::vector<std::uint32_t> next;
  Starts starts;
};

}  // namespace basesweep::sbom
