#include "kernels/cpu_matcher.hpp"
#include "kernels/qgrams/index.hpp"
#include "kernels/qgrams/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::qgrams {
namespace {

// Nanoseconds of one core, fitted to what was measured (docs/benchmarks.md).
constexpr Costs kCosts{1.5, 6, 0.4, 25};

}  // namespace

std::optional<std::string> decline(const Entry& entry) { return decline_sets(entry); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  const Shape shape = choose_shape(options.patterns, options.entries, kCosts, options.tuning);
  return std::make_unique<ScanMatcher<Index>>(options, "qgrams", Index(options.patterns, options.entries, shape),
                                              scan_for(options.isa));
}

}  // namespace basesweep::qgrams
