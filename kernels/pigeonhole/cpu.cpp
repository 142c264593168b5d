#include "kernels/cpu_matcher.hpp"
#include "kernels/pigeonhole/index.hpp"
#include "kernels/pigeonhole/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::pigeonhole {

void verify_alone(const IndexView& index, std::uint32_t slot, const PackedView& text, Window window, HitSink& sink) {
  verify_window(index.entries[slot], index.blocks, text.lo, text.hi, window.begin, window.first, window.end,
                [&](std::uint32_t column) { sink.hit(column, index.ids[slot]); });
}

std::optional<std::string> decline(const Entry& entry) { return unfit(entry); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, "pigeonhole", Index(options.patterns, options.entries),
                                              scan_for(options.isa));
}

}  // namespace basesweep::pigeonhole
