// Myers' bit-parallel step (Myers, J. ACM 46, 1999, section 4; the names are the paper's), and the check of a window of
// text with it. For the CPU and CUDA threads.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// For each code, the rows of a word that hold its base: bit i of eq[code] is for row i of the word.
struct EqBlock {
  std::uint64_t eq[4];
};

// A query in the form that the verifier uses. Its rows fill `blocks` words from the top down, so that its last row is
// the highest bit of the last word. The spare rows in front hold every base, so that the distance there is 0, as it is
// above the first row.
struct VerifyQuery {
  std::uint32_t first_block;  // index in the list of all EqBlocks
  std::uint32_t length;
  std::uint32_t edits;
  std::uint32_t blocks;
  std::uint32_t spare_rows;
};

// Bits of the words that a query of this length is verified with.
BASESWEEP_HD constexpr std::uint32_t verify_word_bits(std::uint32_t length) { return length <= 32 ? 32 : 64; }

// The most positions of text in an alignment of the query with at most its edits.
BASESWEEP_HD constexpr std::uint32_t longest_alignment(const VerifyQuery& query) { return query.length + query.edits; }

// The most words, and the most positions, of a query.
inline constexpr std::uint32_t kMaxVerifyBlocks = 32;
inline constexpr std::uint32_t kMaxVerifyLength = 64 * kMaxVerifyBlocks;

// A stretch of text that is verified.
struct VerifyWindow {
  std::uint32_t begin;       // no alignment starts before
  std::uint32_t first, end;  // the last positions of alignments are in [first, end)
};

// The window of all alignments with at most query.edits edits in which some position of the query lies where it would
// lie in an alignment without edits from `start` on. Such alignments have at most that many edits on either side of the
// position, so they start at most so far from `start`, and end at most so far from where the query would end.
BASESWEEP_HD VerifyWindow window_around(const VerifyQuery& query, std::int64_t start, std::uint32_t positions) {
  const std::int64_t edits = query.edits;
  const std::int64_t last = start + query.length - 1;
  const auto clip = [positions](std::int64_t position) {
    return static_cast<std::uint32_t>(position < 0 ? 0 : position < positions ? position : positions);
  };
  return {clip(start - edits), clip(last - edits), clip(last + edits + 1)};
}

// Leaves out of a window what was searched for the query, or around one of its seeds, just before, and remembers the
// rest. Where a query's windows overlap, as in repeats, takes some positions more: they will be needed soon, and each
// search has to warm up. To find all ends, the window then begins as far to the left as an alignment can reach. Returns
// false if nothing is left. `searched`: positions [high half, low half) of the text, which has `positions`; 0 at first.
inline bool leave_out_searched(std::uint64_t& searched, const VerifyQuery& query, std::uint32_t positions,
                               VerifyWindow& window) {
  constexpr std::uint32_t kAhead = 64;
  if (window.first >= window.end) return false;
  const auto done_first = static_cast<std::uint32_t>(searched >> 32);
  const auto done_end = static_cast<std::uint32_t>(searched);
  std::uint32_t new_first = window.first;
  if (window.first >= done_first && window.first < done_end) {
    if (window.end <= done_end) return false;
    window.first = done_end;
    window.end = window.end + kAhead < positions ? window.end + kAhead : positions;
    new_first = done_first;
  }
  searched = std::uint64_t{new_first} << 32 | window.end;
  const std::uint32_t reach = longest_alignment(query) - 1;
  window.begin = window.first > reach ? window.first - reach : 0;
  return true;
}

struct VerifyIndex {
  // queries[i] belongs to indices[i], an index in the PatternSet. No query may be longer than kMaxVerifyLength.
  VerifyIndex(const PatternSet& patterns, const std::vector<std::uint32_t>& indices);

  std::vector<VerifyQuery> queries;
  std::vector<EqBlock> blocks;
};

// Moves the rows of one word on by one position of text. `eq`: the rows that hold the position's base. pv, mv (Pv, Mv):
// the rows where the vertical difference is +1, -1. ph, mh (Ph, Mh): horizontal differences +1, -1; on entry bit 0 is
// the difference above the word's first row, on return bit i is the difference at row i. Word is an unsigned integer or
// a vector of them.
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

// The verifier reads this many positions of text at a time.
inline constexpr std::uint32_t kVerifyTile = 32;

// The rows that hold the base whose code bits are the lowest bits of lo and hi.
template <class Word>
BASESWEEP_HD Word choose_eq(const Word (&eq)[4], std::uint32_t lo, std::uint32_t hi) {
  const bool low = (lo & 1) != 0;
  return (hi & 1) != 0 ? (low ? eq[3] : eq[2]) : (low ? eq[1] : eq[0]);
}

template <class Word>
BASESWEEP_HD std::uint32_t top_bit(Word word) {
  return static_cast<std::uint32_t>(word >> (8 * sizeof(Word) - 1));
}

// verify_window() for queries of one word.
template <class Word, class Report>
BASESWEEP_HD void verify_in_word(const VerifyQuery& query, const EqBlock& block, const std::uint64_t* text_lo,
                                 const std::uint64_t* text_hi, std::uint32_t begin, std::uint32_t first,
                                 std::uint32_t end, Report report) {
  const Word eq[4] = {static_cast<Word>(block.eq[0]), static_cast<Word>(block.eq[1]), static_cast<Word>(block.eq[2]),
                      static_cast<Word>(block.eq[3])};
  Word pv = ~Word{0} << query.spare_rows;
  Word mv = 0;
  std::uint32_t score = query.length - query.edits - 1;  // less k + 1, so that a negative score is an end
  for (std::uint32_t position = begin; position < end; position += kVerifyTile) {
    const std::uint32_t count = end - position < kVerifyTile ? end - position : kVerifyTile;
    auto lo = static_cast<std::uint32_t>(positions_at(text_lo, position));
    auto hi = static_cast<std::uint32_t>(positions_at(text_hi, position));
    std::uint32_t ends = 0;  // a bit for each position, the last one lowest
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
      if ((ends >> (count - 1 - i) & 1) != 0 && position + i >= first) report(position + i);
    }
  }
}

// verify_window() for longer queries: tile by tile, and in a tile block by block, so that the rows of a block stay in
// registers. The horizontal differences pass from block to block, one bit for each position.
template <class Report>
BASESWEEP_HD void verify_in_blocks(const VerifyQuery& query, const EqBlock* blocks, const std::uint64_t* text_lo,
                                   const std::uint64_t* text_hi, std::uint32_t begin, std::uint32_t first,
                                   std::uint32_t end, Report report) {
  std::uint64_t all_pv[kMaxVerifyBlocks];
  std::uint64_t all_mv[kMaxVerifyBlocks];
  for (std::uint32_t b = 0; b < query.blocks; ++b) {
    all_pv[b] = b == 0 ? ~std::uint64_t{0} << query.spare_rows : ~std::uint64_t{0};
    all_mv[b] = 0;
  }
  std::uint32_t score = query.length;
  for (std::uint32_t position = begin; position < end; position += kVerifyTile) {
    const std::uint32_t count = end - position < kVerifyTile ? end - position : kVerifyTile;
    const auto lo = static_cast<std::uint32_t>(positions_at(text_lo, position));
    const auto hi = static_cast<std::uint32_t>(positions_at(text_hi, position));
    std::uint32_t border_ph = 0;
    std::uint32_t border_mh = 0;
    for (std::uint32_t b = 0; b < query.blocks; ++b) {
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
      if (score <= query.edits && position + i >= first) report(position + i);
    }
  }
}

// Calls report(position) for each position in [first, end) where an alignment of the query with at most query.edits
// edits ends; only alignments that start at `begin` or later count.
template <class Report>
BASESWEEP_HD void verify_window(const VerifyQuery& query, const EqBlock* all_blocks, const std::uint64_t* lo,
                                const std::uint64_t* hi, std::uint32_t begin, std::uint32_t first, std::uint32_t end,
                                Report report) {
  const EqBlock* blocks = all_blocks + query.first_block;
  if (query.length <= 32) {
    verify_in_word<std::uint32_t>(query, *blocks, lo, hi, begin, first, end, report);
  } else if (query.length <= 64) {
    verify_in_word<std::uint64_t>(query, *blocks, lo, hi, begin, first, end, report);
  } else {
    verify_in_blocks(query, blocks, lo, hi, begin, first, end, report);
  }
}

}  // namespace basesweep
