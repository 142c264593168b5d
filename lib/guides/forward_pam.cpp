#include "lib/guides/forward_pam.hpp"

#include <algorithm>
#include <utility>

namespace basesweep {

std::vector<ForwardPam> forward_pams(const GuideSet& guides, Strand strand) {
  std::vector<ForwardPam> forward;
  for (std::size_t i = 0; i < guides.pams().size(); ++i) {
    std::vector<BaseSet> sets = base_sets(guides.pams()[i]);
    if (strand == Strand::minus) {
      std::reverse(sets.begin(), sets.end());
      for (BaseSet& set : sets) set = complement_set(set);
    }
    forward.push_back({std::move(sets), strand, static_cast<std::uint8_t>(i)});
  }
  return forward;
}

}  // namespace basesweep
