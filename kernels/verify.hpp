// Myers' bit-parallel step (Myers, J. ACM 46, 1999, section 4; names as there), and the check of a window of text with
// it. For the CPU and for CUDA threads.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/host_device.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// The rows of a word that hold the base of each code: bit i of eq[code] is for the word's row i.
struct EqBlock {
  std::uint64_t eq[4];
};

// An entry as the verifier takes it. Its rows fill `blocks` words from the top down, so that its last row is the last
// word's highest bit. The spare rows in front hold every base: there the distance is 0, as it is above the first row.
struct VerifyEntry {
  std::uint32_t first_block;  // in the list of all EqBlocks
  std::uint32_t length;
  std::uint32_t edits;
  std::uint32_t blocks;
  std::uint32_t spare_rows;
};

// Bits of the words that an entry of so many columns fills.
BASESWEEP_HD constexpr std::uint32_t verify_word_bits(std::uint32_t length) { return length <= 32 ? 32 : 64; }

// No alignment of the entry with at most its edits is longer.
BASESWEEP_HD constexpr std::uint32_t longest_alignment(const VerifyEntry& entry) { return entry.length + entry.edits; }

// Entries may have so many words, and columns.
inline constexpr std::uint32_t kMostVerifyBlocks = 32;
inline constexpr std::uint32_t kMostVerifyLength = 64 * kMostVerifyBlocks;

struct VerifyIndex {
  // entries[i] is for the i-th of the given indices. No entry may be longer than kMostVerifyLength.
  VerifyIndex(const PatternSet& patterns, const std::vector<std::uint32_t>& indices);

  std::vector<VerifyEntry> entries;
  std::vector<EqBlock> blocks;
};

// Moves the rows of one word on by one column of text. `eq`: the rows that hold the column's base. Pv, Mv: where the
// vertical difference is +1, -1. Ph, Mh: likewise the horizontal difference; bit 0 of what comes in is the one above
// the word's first row, bit i of what goes out the one at row i. Word: an unsigned integer or a vector of them.
template <class Word>
BASESWEEP_HD void myers_step(Word eq, Word& pv, Word& mv, Word& ph, Word& mh) {
  const Word xv = eq | mv;
  eq |= mh;
  const Word xh = (((eq & pv) + pv) ^ pv) | eq;
  const Word ph_here = mv | ~(xh | pv);
  const Word mh_here = pv & xh;
  const Word ph_next = ph_here << 1 | ph;
  const Word mh_next = mh_here << 1 | mh;
  pv = mh_next | ~(xv | ph_next);
  mv = ph_next & xv;
  ph = ph_here;
  mh = mh_here;
}

// Columns that the verifier takes its text in.
inline constexpr std::uint32_t kVerifyTile = 32;

// The rows that hold the base of the lowest code bits.
template <class Word>
BASESWEEP_HD Word choose_eq(const Word (&eq)[4], std::uint32_t lo, std::uint32_t hi) {
  const bool low = (lo & 1) != 0;
  return (hi & 1) != 0 ? (low ? eq[3] : eq[2]) : (low ? eq[1] : eq[0]);
}

template <class Word>
BASESWEEP_HD std::uint32_t top_bit(Word word) {
  return static_cast<std::uint32_t>(word >> (8 * sizeof(Word) - 1));
}

// For entries of one word. Text in [begin, end).
template <class Word, class Report>
BASESWEEP_HD void verify_in_word(const VerifyEntry& entry, const EqBlock& block, const std::uint64_t* text_lo,
                                 const std::uint64_t* text_hi, std::uint32_t begin, std::uint32_t first,
                                 std::uint32_t end, Report report) {
  const Word eq[4] = {static_cast<Word>(block.eq[0]), static_cast<Word>(block.eq[1]), static_cast<Word>(block.eq[2]),
                      static_cast<Word>(block.eq[3])};
  Word pv = ~Word{0} << entry.spare_rows;
  Word mv = 0;
  std::uint32_t score = entry.length - entry.edits - 1;  // less k + 1, so that its sign tells
  for (std::uint32_t column = begin; column < end; column += kVerifyTile) {
    const std::uint32_t count = end - column < kVerifyTile ? end - column : kVerifyTile;
    auto lo = static_cast<std::uint32_t>(columns_at(text_lo, column));
    auto hi = static_cast<std::uint32_t>(columns_at(text_hi, column));
    std::uint32_t ends = 0;  // the last column lowest
    for (std::uint32_t i = 0; i < count; ++i, lo >>= 1, hi >>= 1) {
      Word ph = 0;
      Word mh = 0;
      myers_step(choose_eq(eq, lo, hi), pv, mv, ph, mh);
      score += top_bit(ph);
      score -= top_bit(mh);
      ends = ends << 1 | score >> 31;
    }
    if (ends == 0) continue;
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((ends >> (count - 1 - i) & 1) != 0 && column + i >= first) report(column + i);
    }
  }
}

// For longer entries: tile by tile, and in a tile block by block, so that a block's rows stay in registers. What passes
// from block to block are the horizontal differences, a column a bit.
template <class Report>
BASESWEEP_HD void verify_in_blocks(const VerifyEntry& entry, const EqBlock* blocks, const std::uint64_t* text_lo,
                                   const std::uint64_t* text_hi, std::uint32_t begin, std::uint32_t first,
                                   std::uint32_t end, Report report) {
  std::uint64_t all_pv[kMostVerifyBlocks];
  std::uint64_t all_mv[kMostVerifyBlocks];
  for (std::uint32_t b = 0; b < entry.blocks; ++b) {
    all_pv[b] = b == 0 ? ~std::uint64_t{0} << entry.spare_rows : ~std::uint64_t{0};
    all_mv[b] = 0;
  }
  std::uint32_t score = entry.length;
  for (std::uint32_t column = begin; column < end; column += kVerifyTile) {
    const std::uint32_t count = end - column < kVerifyTile ? end - column : kVerifyTile;
    const auto lo = static_cast<std::uint32_t>(columns_at(text_lo, column));
    const auto hi = static_cast<std::uint32_t>(columns_at(text_hi, column));
    std::uint32_t border_ph = 0;
    std::uint32_t border_mh = 0;
    for (std::uint32_t b = 0; b < entry.blocks; ++b) {
      const std::uint64_t eq[4] = {blocks[b].eq[0], blocks[b].eq[1], blocks[b].eq[2], blocks[b].eq[3]};
      std::uint64_t pv = all_pv[b];
      std::uint64_t mv = all_mv[b];
      std::uint32_t below_ph = 0;
      std::uint32_t below_mh = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        std::uint64_t ph = border_ph >> i & 1;
        std::uint64_t mh = border_mh >> i & 1;
        myers_step(choose_eq(eq, lo >> i, hi >> i), pv, mv, ph, mh);
        below_ph |= top_bit(ph) << i;
        below_mh |= top_bit(mh) << i;
      }
      all_pv[b] = pv;
      all_mv[b] = mv;
      border_ph = below_ph;
      border_mh = below_mh;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      score += (border_ph >> i & 1) - (border_mh >> i & 1);
      if (score <= entry.edits && column + i >= first) report(column + i);
    }
  }
}

// Calls report(column) for each column in [first, end) where an alignment of the entry with at most entry.edits edits
// ends that starts in columns from `begin` on.
template <class Report>
BASESWEEP_HD void verify_window(const VerifyEntry& entry, const EqBlock* all_blocks, const std::uint64_t* lo,
                                const std::uint64_t* hi, std::uint32_t begin, std::uint32_t first, std::uint32_t end,
                                Report report) {
  const EqBlock* blocks = all_blocks + entry.first_block;
  if (entry.length <= 32) {
    verify_in_word<std::uint32_t>(entry, *blocks, lo, hi, begin, first, end, report);
  } else if (entry.length <= 64) {
    verify_in_word<std::uint64_t>(entry, *blocks, lo, hi, begin, first, end, report);
  } else {
    verify_in_blocks(entry, blocks, lo, hi, begin, first, end, report);
  }
}

}  // namespace basesweep
