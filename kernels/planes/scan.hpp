// The CPU loop of `planes`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/planes/index.hpp"
#include "kernels/scan.hpp"

namespace basesweep::planes {

// Text positions that the filter handles at a time, and the 64-bit words they fill.
inline constexpr std::uint32_t kBlockColumns = 1024;
inline constexpr std::uint32_t kBlockWords = kBlockColumns / 64;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView& index) {
  return kBlockWords * (std::size_t{index.base_mask_count} + index.pair_mask_count + index.entry_count) +
         index.entry_count;
}

}  // namespace basesweep::planes

BASESWEEP_DECLARE_SCAN(planes)
