// Hits of products, for tests.
#pragma once

#include <cstdint>

#include "lib/search/hit.hpp"
#include "lib/search/pattern_set.hpp"

namespace support {

// A hit of five bases of a pattern on a strand.
inline basesweep::Hit primer_hit(const basesweep::PatternSet& patterns, std::uint32_t pattern, basesweep::Strand strand,
                                 std::uint32_t position) {
  basesweep::Hit found{};
  const auto& queries = patterns.queries();
  while (queries[found.query].pattern != pattern || queries[found.query].strand != strand)
    found.query = found.query + 1;
  found.position = position;
  found.length = 5;
  return found;
}

}  // namespace support
