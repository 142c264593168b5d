// The CPU loop of `drk2s`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/drk2s/index.hpp"
#include "kernels/hit_sink.hpp"
#include "lib/packed_batch.hpp"

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

// Sends every match of every entry that starts in the columns the batch owns, and some that start just outside.
using ScanFunction = void (*)(const IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);

}  // namespace basesweep::drk2s
