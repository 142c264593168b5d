#include "kernels/room.hpp"
#include "kernels/sog/index.hpp"
#include "kernels/sog/step.hpp"
#include "kernels/staged_matcher.hpp"

namespace basesweep::sog {

std::optional<std::string> decline(const Entry& entry) { return decline_sets(entry); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, "sog", Index(options.patterns, options.entries, options.tuning.block));
}

}  // namespace basesweep::sog
