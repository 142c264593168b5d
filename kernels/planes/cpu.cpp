#include "kernels/cpu_matcher.hpp"
#include "kernels/planes/index.hpp"
#include "kernels/planes/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::planes {

std::optional<std::string> decline(const Entry&) { return std::nullopt; }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, "planes", Index(options.patterns, options.entries),
                                              scan_for(options.isa));
}

}  // namespace basesweep::planes
