#include "kernels/cpu_matcher.hpp"
#include "kernels/room.hpp"
#include "kernels/wu_manber/index.hpp"
#include "kernels/wu_manber/step.hpp"

namespace basesweep::wu_manber {
namespace {

void scan_batch(const IndexView& index, const PackedView& text, HitSink& sink) {
  scan<PlainFetch>(index, PlanesText{text.lo, text.hi}, text.own_begin, text.own_end,
                   [&sink](std::uint32_t column, std::uint32_t entry) { sink.hit(column, entry); });
}

}  // namespace

std::optional<std::string> decline(const Entry& entry) {
  if (entry.iupac) return "has IUPAC codes";
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<LoopMatcher<Index, decltype(&scan_batch)>>(
      options, "wu-manber", Index(options.patterns, options.entries, options.tuning.block, kCpuBlocks), scan_batch);
}

}  // namespace basesweep::wu_manber
