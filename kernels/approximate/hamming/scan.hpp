// The CPU loop of `hamming`, compiled once for each instruction set from scan.cpp. It sends every end in [own_begin,
// own_end).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/approximate/hamming/index.hpp"
#include "kernels/cpu/scan.hpp"

namespace basesweep::hamming {

// Words of scratch memory, aligned to 64 bytes, that a scan needs: for rows, copies of planes, and the positions found.
constexpr std::size_t scratch_words(const IndexView& index) {
  return std::size_t{index.row_words} * (index.row_count + 2) + std::size_t{index.query_count} * (kBlockWords + 1);
}

}  // namespace basesweep::hamming

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<hamming::IndexView>, hamming_scan)
}  // namespace basesweep
