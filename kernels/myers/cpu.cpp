#include <fmt/format.h>

#include "kernels/cpu_matcher.hpp"
#include "kernels/myers/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::myers {

std::optional<std::string> decline(const Entry& entry) {
  if (entry.columns.size() > kMostVerifyLength) return fmt::format("is longer than {} columns", kMostVerifyLength);
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, "myers", Index(options.patterns, options.entries),
                                              scan_for(options.isa));
}

}  // namespace basesweep::myers
