// The CPU matchers of rooms whose Scan serves CPU and GPU, see kernels/staged.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/cpu_matcher.hpp"
#include "kernels/staged.hpp"

namespace basesweep {

// One thread scans all that the batch owns. The room has reach_of(index).
template <class Scan, class Index>
std::unique_ptr<Matcher> make_staged_matcher(const RoomOptions& options, const char* algorithm, Index index) {
  const auto scan = [reach = reach_of(index)](const auto& view, const PackedView& text, HitSink& sink) {
    // What ends past the text's last column is no hit.
    const std::uint32_t end = std::min(text.own_end + reach.end_after, text.columns);
    Scan{view}.template operator()<PlainFetch>(
        PlanesText{text.lo, text.hi}, text.own_begin + reach.begin_after, end,
        [&sink](std::uint32_t column, std::uint32_t entry) { sink.hit(column, entry); });
  };
  return make_loop_matcher(options, algorithm, std::move(index), scan);
}

}  // namespace basesweep
