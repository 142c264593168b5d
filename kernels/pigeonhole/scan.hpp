// The CPU loop of `pigeonhole`, compiled once for each instruction set from scan.cpp. It sends every end of every
// entry, and some past the text's last column.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/hit_sink.hpp"
#include "kernels/pigeonhole/index.hpp"
#include "kernels/pigeonhole/step.hpp"
#include "kernels/scan.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::pigeonhole {

// Words of scratch memory that a scan needs: for each entry the columns last searched for its ends.
constexpr std::size_t scratch_words(const IndexView& index) { return index.entry_count; }

// Sends the ends of an entry in a window: for entries longer than a lane, where vectors do not pay.
void verify_alone(const IndexView& index, std::uint32_t slot, const PackedView& text, Window window, HitSink& sink);

}  // namespace basesweep::pigeonhole

BASESWEEP_DECLARE_SCAN(pigeonhole)
