// The CPU loop of `lookup`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"
#include "kernels/matrices/lookup/index.hpp"
#include "lib/matrices/file_matrix.hpp"

namespace basesweep::lookup {

// The text positions that are handled at a time, and the 64-bit words that they fill.
inline constexpr std::uint32_t kBlockPositions = 1024;
inline constexpr std::uint32_t kBlockWords = kBlockPositions / 64;
// Positions of pair codes that are made for a block: a query may reach so far behind it.
inline constexpr std::uint32_t kCodePositions = kBlockPositions + kMaxMatrixWidth;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView& index) {
  return kCodePositions / 8 + (kBlockWords + 1) * std::size_t{index.query_count};
}

}  // namespace basesweep::lookup

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<lookup::IndexView>, lookup_scan)
}  // namespace basesweep
