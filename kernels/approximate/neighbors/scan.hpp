// The CPU loop of `neighbors`, compiled once for each instruction set from scan.cpp. It sends every end of every query.
#pragma once

#include <cstddef>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/cpu/scan.hpp"

namespace basesweep::neighbors {

// Words of scratch memory that a scan needs: for each seed in a table for edits, the positions last searched around it.
inline std::size_t scratch_words(const IndexView& index) { return index.edits() ? index.seed_count : 0; }

}  // namespace basesweep::neighbors

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<neighbors::IndexView>, neighbors_scan)
}  // namespace basesweep
