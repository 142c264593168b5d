// Windows: stretches of the reference that are verified for a read, that is, searched for ends of its query.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep {

// Positions [first, end) of the reference, at least one.
struct QueryWindow {
  std::uint32_t query;  // index into ReadQueryView::queries
  std::uint32_t first;
  std::uint32_t end;
};

// The position to begin reading at, so that the ends from `first` on are right: no alignment is longer than length +
// edits.
BASESWEEP_HD constexpr std::uint32_t context_begin(const ReadQuery& query, std::uint32_t first) {
  const std::uint32_t before = std::uint32_t{query.length} + query.edits - 1;
  return first > before ? first - before : 0;
}

// How many bits of a query's first word lie below its first base.
BASESWEEP_HD constexpr std::uint32_t spare_positions(const ReadQuery& query) {
  return 64 * ((query.length + 63U) / 64) - query.length;
}

}  // namespace basesweep
