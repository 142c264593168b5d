// The CPU loop of `drk2s`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/drk2s/index.hpp"
#include "kernels/scan.hpp"

namespace basesweep::drk2s {

// Bases of a window on the CPU: its fingerprint is a 16-bit lane. See README.md for why not more.
inline constexpr std::uint32_t kCpuWindow = 8;

// Text positions handled at a time, and the 64-bit words they fill.
inline constexpr std::uint32_t kBlockColumns = 1024;
inline constexpr std::uint32_t kBlockWords = kBlockColumns / 64;

// Fingerprints of windows lie in eight rows: row k has those of the columns 8 i + k, so that each row is made by shifts
// of constant width. Past a block's end they are made as far as the offset of sub-patterns reaches, up to full vectors.
inline constexpr std::uint32_t kRows = 8;
inline constexpr std::uint32_t kRowLanes = (kBlockColumns + 256) / kRows;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView& index) {
  return kRows * kRowLanes / 4 + (kBlockWords + 1) * std::size_t{index.count};
}

}  // namespace basesweep::drk2s

BASESWEEP_DECLARE_SCAN(drk2s)
