#include "kernels/room.hpp"
#include "kernels/set_horspool/index.hpp"
#include "kernels/set_horspool/step.hpp"
#include "kernels/staged_matcher.hpp"

namespace basesweep::set_horspool {
namespace {

// Where the text is full of an entry, every window is read as far as that is long.
constexpr std::size_t kMaxLength = 4096;

}  // namespace

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, "set-horspool", Index(options.patterns, options.entries));
}

}  // namespace basesweep::set_horspool
