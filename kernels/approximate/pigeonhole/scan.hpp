// The CPU loop of `pigeonhole`, compiled once for each instruction set from scan.cpp. It sends every end of every
// query, and some past the text's last position.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/approximate/pigeonhole/index.hpp"
#include "kernels/approximate/pigeonhole/step.hpp"
#include "kernels/cpu/scan.hpp"
#include "kernels/occurrence_sink.hpp"

namespace basesweep::pigeonhole {

// Words of scratch memory that a scan needs: for each query, the positions last searched for its ends.
constexpr std::size_t scratch_words(const IndexView& index) { return index.query_count; }

// Sends the ends of a query in a window. For queries longer than a lane, where vectors do not pay.
void verify_alone(const IndexView& index, std::uint32_t slot, const PackedView& text, VerifyWindow window,
                  OccurrenceSink& sink);

}  // namespace basesweep::pigeonhole

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<pigeonhole::IndexView>, pigeonhole_scan)
}  // namespace basesweep
