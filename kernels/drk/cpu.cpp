#include <algorithm>

#include "kernels/cpu_matcher.hpp"
#include "kernels/drk/index.hpp"
#include "kernels/room.hpp"
#include "kernels/text.hpp"

namespace basesweep {
namespace drk {
namespace {

// One pass over the text for the entries of one length.
template <class Policy, int Count>
void scan_group(const FingerprintsView& view, const FingerprintGroup& group, const PackedView& packed, HitSink& sink) {
  const PlanesText text{packed.lo, packed.hi};
  const Policy policy(group.length);
  auto F = first_window(policy, group.length, TextNumbers<PlanesText>{text, packed.own_begin});
  for (std::uint32_t column = packed.own_begin; column < packed.own_end;) {
    const std::uint32_t joining = column + group.length;
    std::uint64_t left = number_of(text.lo_at(column), text.hi_at(column));
    std::uint64_t joined = number_of(text.lo_at(joining), text.hi_at(joining));
    const std::uint32_t end = std::min(column + 32, packed.own_end);
    for (; column != end; ++column, left <<= 2, joined <<= 2) {
      if (const std::uint32_t item = find_fingerprint<Count>(view, group, Policy::value(F)); item != kNoItem)
          [[unlikely]] {
        for_each_verified(view, group, item, text, column, [&](std::uint32_t entry) { sink.hit(column, entry); });
      }
      F = policy.roll(F, static_cast<std::uint32_t>(left >> 62), static_cast<std::uint32_t>(joined >> 62));
    }
  }
}

template <class Policy>
void scan(const FingerprintsView& view, const PackedView& text, HitSink& sink) {
  for (std::uint32_t g = 0; g < view.group_count; ++g) {
    const FingerprintGroup& group = view.groups[g];
    switch (group.count()) {
      case 1: scan_group<Policy, 1>(view, group, text, sink); break;
      case 2: scan_group<Policy, 2>(view, group, text, sink); break;
      default: scan_group<Policy, 0>(view, group, text, sink); break;
    }
  }
}

template <class Policy>
std::unique_ptr<Matcher> make_matcher(const RoomOptions& options, const char* algorithm) {
  return make_loop_matcher(options, algorithm, make_index<Policy>(options), scan<Policy>);
}

}  // namespace

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, 65'536); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) { return make_matcher<Modulo>(options, "drk"); }

}  // namespace drk

namespace drk_wom32 {

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, 16, ", all that 32 bits hold"); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return drk::make_matcher<drk::Wom32>(options, "drk-wom32");
}

}  // namespace drk_wom32

namespace drk_wom64 {

std::optional<std::string> decline(const Entry& entry) { return decline_longer(entry, 32, ", all that 64 bits hold"); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return drk::make_matcher<drk::Wom64>(options, "drk-wom64");
}

}  // namespace drk_wom64
}  // namespace basesweep
