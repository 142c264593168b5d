#include "kernels/matrices.hpp"
#include "kernels/room.hpp"

namespace basesweep::crk {

std::optional<std::string> decline(const Entry& entry) { return decline_matrices(entry); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) { return make_matrix_matcher(options, "crk"); }

}  // namespace basesweep::crk
