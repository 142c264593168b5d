#include <algorithm>

#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"
#include "kernels/set_horspool/index.hpp"
#include "kernels/set_horspool/step.hpp"

namespace basesweep::set_horspool {
namespace {

// Where the text is full of an entry, every window is read as far as that is long.
constexpr std::size_t kMaxLength = 4096;

void scan_batch(const IndexView& index, const PackedView& text, HitSink& sink) {
  // What ends past the text's last column is no hit.
  const std::uint32_t end = std::min(text.own_end + index.longest - 1, text.columns);
  scan<PlainFetch>(index, PlanesText{text.lo, text.hi}, text.own_begin + index.shortest - 1, end,
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
      options, "set-horspool", Index(options.patterns, options.entries), scan_batch);
}

}  // namespace basesweep::set_horspool
