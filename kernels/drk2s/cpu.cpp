#include "kernels/cpu_matcher.hpp"
#include "kernels/drk2s/index.hpp"
#include "kernels/drk2s/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::drk2s {

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, "drk2s", Index(options.patterns, options.entries, kCpuWindow),
                                              scan_for(options.isa));
}

}  // namespace basesweep::drk2s
