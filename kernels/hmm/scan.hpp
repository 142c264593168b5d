// The CPU loop of `hmm`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/hit_sink.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::hmm {

// Columns that a piece of the text is cut to, overlap not counted: the text of a piece stays in the L2 cache.
inline constexpr std::uint32_t kPieceColumns = 1U << 15;

// A multiple of the 16-bit lanes of every instruction set's words. Diagonals are padded to it.
inline constexpr std::uint32_t kRowAlign = 32;

constexpr std::uint32_t padded_rows(std::uint32_t length) { return (length + kRowAlign - 1) / kRowAlign * kRowAlign; }

struct ScanEntry {
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t length;
  std::uint32_t edits;
  std::uint32_t first_row;  // in ScanIndex::rows; there are padded_rows(length)
};

struct ScanIndex {
  const ScanEntry* entries;
  const std::uint16_t* rows;  // BaseSets, one a lane
  std::uint32_t entry_count;
  std::uint32_t most_rows;     // padded_rows of the longest entry
  std::uint32_t most_overlap;  // the greatest length + edits
};

// 64-bit words of scratch memory, aligned to 64 bytes, that a scan needs: the text of a piece, and three diagonals.
constexpr std::size_t scratch_words(const ScanIndex& index) {
  const std::size_t text = std::size_t{kPieceColumns} + index.most_overlap + 2 * std::size_t{index.most_rows};
  return (text + 3 * (std::size_t{index.most_rows} + kRowAlign)) / 4 + 1;
}

// Sends all ends of every entry in the columns that the text owns, and some just outside.
using ScanFunction = void (*)(const ScanIndex& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);

}  // namespace basesweep::hmm
