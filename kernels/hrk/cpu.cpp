#include "kernels/cpu_matcher.hpp"
#include "kernels/matrices.hpp"
#include "kernels/room.hpp"

namespace basesweep::hrk {

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, 65'536, "65,536 bases"); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_loop_matcher(options, "hrk", matrix_fingerprints(options.patterns, options.entries), scan_matrices);
}

}  // namespace basesweep::hrk
