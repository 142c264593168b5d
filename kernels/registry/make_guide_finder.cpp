#include "lib/guides/guide_finder.hpp"

namespace basesweep {

namespace halves {
std::unique_ptr<GuideFinder> make_cpu_finder(const GuideSet& guides, GuideWay way, Isa isa);
}  // namespace halves

std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet& guides, GuideWay way, Isa isa) {
  return halves::make_cpu_finder(guides, way, isa);
}

}  // namespace basesweep
