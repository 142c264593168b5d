// Aligns any pattern to any text.
#pragma once

#include <string_view>
#include <vector>

#include "lib/align/trace.hpp"

namespace support {

// Returns the runs of the best alignment, or nothing if none is within the query's limits.
inline std::vector<basesweep::CigarRun> trace(const basesweep::Query& query, std::string_view letters) {
  std::vector<basesweep::BaseSet> text;
  for (const char letter : letters) {
    const basesweep::BaseSet set = basesweep::iupac_set(letter);
    text.push_back(basesweep::is_single_base(set) ? set : basesweep::BaseSet{0});
  }
  basesweep::CostScan scan;
  scan.run(query, text);
  const std::size_t place = text.size() - scan.min_length();
  if (text.size() < scan.min_length() || place >= scan.costs().size()) return {};
  const basesweep::Cost cost = scan.costs()[place];
  if (cost == basesweep::kNoAlignment) return {};
  static basesweep::Tracer tracer;
  const auto runs = tracer.trace(query, letters, cost);
  return {runs.begin(), runs.end()};
}

}  // namespace support
