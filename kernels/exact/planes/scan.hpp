// The CPU loop of `planes`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"
#include "kernels/exact/planes/index.hpp"

namespace basesweep::planes {

// The text positions that are handled at a time, and the 64-bit words they fill.
inline constexpr std::uint32_t kBlockPositions = 1024;
inline constexpr std::uint32_t kBlockWords = kBlockPositions / 64;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView& index) {
  return kBlockWords * (std::size_t{index.base_mask_count} + index.pair_mask_count + index.query_count) +
         index.query_count;
}

}  // namespace basesweep::planes

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<planes::IndexView>, planes_scan)
}  // namespace basesweep
