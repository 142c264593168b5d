#include <fmt/format.h>

#include "kernels/cpu_matcher.hpp"
#include "kernels/hamming/index.hpp"
#include "kernels/hamming/scan.hpp"
#include "kernels/room.hpp"
#include "kernels/verify.hpp"

namespace basesweep::hamming {

std::optional<std::string> decline(const Entry& entry) {
  if (entry.columns.size() > kMostVerifyLength) return fmt::format("is longer than {} columns", kMostVerifyLength);
  if (entry.limits.indels != 0) return "allows indels; it is for --max-indels 0";
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, "hamming", Index(options.patterns, options.entries),
                                              scan_for(options.isa));
}

}  // namespace basesweep::hamming
