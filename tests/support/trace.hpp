// The alignment of any pattern to any text.
#pragma once

#include <string_view>
#include <vector>

#include "lib/align/trace.hpp"

namespace support {

// Empty where there is none within the entry's limits.
inline std::vector<basesweep::CigarRun> trace(const basesweep::Entry& entry, std::string_view letters) {
  std::vector<basesweep::BaseSet> text;
  for (const char letter : letters) {
    const basesweep::BaseSet set = basesweep::iupac_set(letter);
    text.push_back(basesweep::is_single_base(set) ? set : basesweep::BaseSet{0});
  }
  basesweep::CostScan scan;
  scan.run(entry, text);
  const std::size_t place = text.size() - scan.least_length();
  if (text.size() < scan.least_length() || place >= scan.costs().size()) return {};
  const basesweep::Cost cost = scan.costs()[place];
  if (cost == basesweep::kNoAlignment) return {};
  static basesweep::Tracer tracer;
  const auto runs = tracer.trace(entry, letters, cost);
  return {runs.begin(), runs.end()};
}

}  // namespace support
