// The CPU loop of `hmm`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"

namespace basesweep::hmm {

// The positions of a part of the text, without its overlap. The text of a part stays in the L2 cache.
inline constexpr std::uint32_t kPartPositions = 1U << 15;

// Diagonals are padded to a multiple of this many rows, which is a multiple of the 16-bit lanes of each instruction
// set's words.
inline constexpr std::uint32_t kRowAlign = 32;

constexpr std::uint32_t padded_rows(std::uint32_t length) { return (length + kRowAlign - 1) / kRowAlign * kRowAlign; }

struct ScanQuery {
  std::uint32_t query;  // index in the PatternSet
  std::uint32_t length;
  std::uint32_t edits;
  std::uint32_t first_row;  // its first row in ScanIndex::rows; it has padded_rows(length)
};

struct ScanIndex {
  const ScanQuery* queries;
  const std::uint16_t* rows;  // a base set for each lane
  std::uint32_t query_count;
  std::uint32_t max_rows;     // padded_rows of the longest query
  std::uint32_t max_overlap;  // the greatest length + edits of a query
};

// 64-bit words of scratch memory, aligned to 64 bytes, that a scan needs: for the text of a part and three diagonals.
constexpr std::size_t scratch_words(const ScanIndex& index) {
  const std::size_t text = std::size_t{kPartPositions} + index.max_overlap + 2 * std::size_t{index.max_rows};
  return (text + 3 * (std::size_t{index.max_rows} + kRowAlign)) / 4 + 1;
}

}  // namespace basesweep::hmm

namespace basesweep {
// Sends all ends of each query at positions that the text owns, and some just outside.
BASESWEEP_PER_ISA(ScanFunction<hmm::ScanIndex>, hmm_scan)
}  // namespace basesweep
