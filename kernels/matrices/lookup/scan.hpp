// The CPU loop of `lookup`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"
#include "kernels/matrices/lookup/index.hpp"
#include "lib/matrices/file_matrix.hpp"

namespace basesweep::lookup {

// The text positions whose hits are put in order together, and the 64-bit words that they fill.
inline constexpr std::uint32_t kBlockPositions = 1024;
inline constexpr std::uint32_t kBlockWords = kBlockPositions / 64;
// A query is searched in so many blocks before the next query comes, so that its tables stay in registers.
inline constexpr std::uint32_t kBlocks = 4;
// Positions of pair codes that are made for these blocks: a query may reach so far behind them.
inline constexpr std::uint32_t kCodePositions = kBlocks * kBlockPositions + kMaxMatrixWidth;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView& index) {
  return kCodePositions / 8 + kBlocks * (kBlockWords + 1) * std::size_t{index.query_count};
}

}  // namespace basesweep::lookup

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<lookup::IndexView>, lookup_scan)
}  // namespace basesweep
