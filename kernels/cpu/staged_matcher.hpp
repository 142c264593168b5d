// The CPU matcher of rooms whose Scan serves both CPU and GPU, see kernels/tables/staged.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep {

// One thread scans all that the batch owns. The room must have reach_of(index).
template <class Scan, class Index>
std::unique_ptr<Matcher> make_staged_matcher(const RoomOptions& options, Index index) {
  const auto scan = [reach = reach_of(index)](const auto& view, const PackedView& text, OccurrenceSink& sink) {
    // Occurrences cannot end past the text's last position.
    const std::uint32_t end = std::min(text.own_end + reach.end_after, text.positions);
    Scan{view}.template operator()<PlainFetch>(
        PlanesText{text.lo, text.hi}, text.own_begin + reach.begin_after, end,
        [&sink](std::uint32_t position, std::uint32_t query) { sink.send(position, query); });
  };
  return make_loop_matcher(options, std::move(index), scan);
}

}  // namespace basesweep
