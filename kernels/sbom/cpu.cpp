#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"
#include "kernels/sbom/index.hpp"
#include "kernels/sbom/step.hpp"

namespace basesweep::sbom {
namespace {

// Where the text is full of an entry, every window is read as far as that is long.
constexpr std::size_t kMaxLength = 4096;

void scan_batch(const IndexView& index, const PackedView& text, HitSink& sink) {
  scan<PlainFetch>(index, PlanesText{text.lo, text.hi}, text.own_begin, text.own_end,
                   [&sink](std::uint32_t column, std::uint32_t entry) { sink.hit(column, entry); });
}

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.iupac) return "has IUPAC codes";
  if (entry.columns.size() > kMaxLength) return "is longer than 4,096 bases";
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<LoopMatcher<Index, decltype(&scan_batch)>>(
      options, "sbom", Index(options.patterns, options.entries), scan_batch);
}

}  // namespace basesweep::sbom
