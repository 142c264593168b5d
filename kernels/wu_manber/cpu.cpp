#include "kernels/room.hpp"
#include "kernels/staged_matcher.hpp"
#include "kernels/wu_manber/index.hpp"
#include "kernels/wu_manber/step.hpp"

namespace basesweep::wu_manber {

std::optional<std::string> decline(const Entry& entry) { return decline_sets(entry); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, "wu-manber",
                                   Index(options.patterns, options.entries, options.tuning.block, kCpuBlocks));
}

}  // namespace basesweep::wu_manber
