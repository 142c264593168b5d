// The CPU loop of `drk2s`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"
#include "kernels/papers/drk2s/index.hpp"

namespace basesweep::drk2s {

// Bases of a q-gram on the CPU: its fingerprint fills a 16-bit lane. README.md says why not more.
inline constexpr std::uint32_t kCpuGram = 8;

// The text positions that are handled at a time, and the 64-bit words they fill.
inline constexpr std::uint32_t kBlockPositions = 1024;
inline constexpr std::uint32_t kBlockWords = kBlockPositions / 64;

// The fingerprints of the q-grams lie in eight rows: row k has those of positions 8 i + k, so that each row is made by
// shifts of constant width. Past the end of a block there are as many more as the offsets of sub-patterns reach,
// rounded up to full vectors.
inline constexpr std::uint32_t kRows = 8;
inline constexpr std::uint32_t kRowLanes = (kBlockPositions + 256) / kRows;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView& index) {
  return kRows * kRowLanes / 4 + (kBlockWords + 1) * std::size_t{index.count};
}

}  // namespace basesweep::drk2s

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<drk2s::IndexView>, drk2s_scan)
}  // namespace basesweep
