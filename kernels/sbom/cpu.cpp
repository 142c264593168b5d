#include "kernels/room.hpp"
#include "kernels/sbom/index.hpp"
#include "kernels/sbom/step.hpp"
#include "kernels/staged_matcher.hpp"

namespace basesweep::sbom {
namespace {

// Where the text is full of an entry, every window is read as far as that is long.
constexpr std::size_t kMaxLength = 4096;

}  // namespace

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, "sbom", Index(options.patterns, options.entries));
}

}  // namespace basesweep::sbom
