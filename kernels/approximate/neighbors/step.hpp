// The steps of `neighbors`, for the CPU and CUDA threads: the text next to a gram, and the check of a whole query.
#pragma once

#include <cstdint>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/verify.hpp"
#include "kernels/text.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::neighbors {

BASESWEEP_HD std::uint32_t near_mask(std::uint32_t near) { return (1U << near) - 1; }

// `near` positions of text in the form of an entry, from the lowest bits of the planes' words on.
BASESWEEP_HD std::uint32_t near_text(std::uint64_t lo, std::uint64_t hi, std::uint32_t near) {
  const std::uint32_t mask = near_mask(near);
  return (static_cast<std::uint32_t>(lo) & mask) | (static_cast<std::uint32_t>(hi) & mask) << near;
}

// The `near` positions of text before one, as an entry holds them. Positions before the first one of the text have any
// bases; entries of short queries, whose positions there are free, may be right all the same.
BASESWEEP_HD std::uint32_t near_text_before(const PackedView& text, std::uint32_t position, std::uint32_t near) {
  const std::uint32_t begin = position < near ? 0 : position - near;
  const std::uint32_t missing = near - (position - begin);
  return near_text(positions_at(text.lo, begin) << missing, positions_at(text.hi, begin) << missing, near);
}

// A bit for each near position where the entry and the text differ.
template <class Lanes>
BASESWEEP_HD Lanes near_mismatches(Lanes entry, Lanes text, std::uint32_t near) {
  const Lanes different = entry ^ text;
  return (different | different >> near) & near_mask(near);
}

// A bit for each of 64 positions from `first` on: whether a gate lets a gram be looked up there. Beyond the ends of the
// text it may be set or not.
BASESWEEP_HD std::uint64_t open_positions(const Gate& gate, const PackedView& text, std::uint32_t first) {
  std::uint64_t open = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < gate.count && open != 0; ++i) {
    const std::int64_t at = std::int64_t{first} + gate.offsets[i];
    if (at <= -64 || at >= text.positions) return 0;
    const auto inside = static_cast<std::uint32_t>(at < 0 ? 0 : at);
    const auto missing = static_cast<std::uint32_t>(at < 0 ? -at : 0);
    const std::uint64_t lo = positions_at(text.lo, inside) << missing;
    const std::uint64_t hi = positions_at(text.hi, inside) << missing;
    const auto taken = [&](std::uint32_t code) { return std::uint64_t{0} - (gate.sets[i] >> code & 1); };
    const std::uint64_t low = (lo & taken(1)) | (~lo & taken(0));
    const std::uint64_t high = (lo & taken(3)) | (~lo & taken(2));
    open &= (hi & high) | (~hi & low);
  }
  return open;
}

// Text for entries for edits, from the lowest bits of the planes' words on: kMaxColumns low code bits, and their high
// code bits above.
BASESWEEP_HD std::uint32_t columns_of(std::uint64_t lo, std::uint64_t hi) {
  static_assert(kMaxColumns == 16);
  return (static_cast<std::uint32_t>(lo) & 0xffff) | static_cast<std::uint32_t>(hi) << 16;
}

// The text after the word at a position, and the text before it, which ends after index.columns positions.
struct Sides {
  std::uint32_t key;
  std::uint32_t left, right;
};

// `place`: the position of the word plus index.before. Text before the first position has any bases.
BASESWEEP_HD Sides look_at(const IndexView& index, const PackedView& text, std::uint64_t place) {
  const bool inside = place >= index.before;
  const auto position = static_cast<std::uint32_t>(inside ? place - index.before : 0);
  const auto missing = static_cast<std::uint32_t>(inside ? 0 : index.before - place);
  const std::uint64_t lo = positions_at(text.lo, position) << missing;
  const std::uint64_t hi = positions_at(text.hi, position) << missing;
  const std::uint32_t left_at = position < index.columns ? 0 : position - index.columns;
  const std::uint32_t left_missing = index.columns - (position - left_at);
  const std::uint64_t left_lo = positions_at(text.lo, left_at) << left_missing;
  const std::uint64_t left_hi = positions_at(text.hi, left_at) << left_missing;
  return {qgram(static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(hi), index.gram),
          columns_of(left_lo, left_hi), columns_of(lo >> index.gram, hi >> index.gram)};
}

// Not 0 if the bases of an entry for edits may appear in the text next to the word with at most as many edits as it
// allows. After the word, they start at the first column of text; before it, they end at the last. Lanes is an unsigned
// integer or a vector of them.
template <class Lanes>
BASESWEEP_HD Lanes passes(Lanes entry, Lanes text, std::uint32_t columns) {
  constexpr std::uint32_t kRowsShift = 32 - kMaxNearOfEdits;  // the entry's rows become the highest ones of the matrix
  const Lanes lo = entry << kRowsShift;
  const Lanes hi = entry >> kMaxNearOfEdits << kRowsShift;
  const Lanes count = entry >> kNearCountShift & 15;
  const Lanes limit = entry >> kBudgetShift & kMaxBudgetOfEdits;
  const Lanes right = ~entry >> 31;
  const Lanes spare = (count ^ count ^ ~0U) >> count;  // the distance is 0 at these rows
  // The row above the bases: the text that is left out before them costs nothing, or as many edits as it is long.
  const Lanes border = (spare + 1) * right;
  Lanes pv = ~spare;
  Lanes mv = lo ^ lo;
  Lanes score = count - limit;  // negative: few enough edits
  Lanes any = score;
  for (std::uint32_t i = 0; i < columns; ++i) {
    const Lanes text_lo = (mv ^ mv) - (text >> i & 1);
    const Lanes text_hi = (mv ^ mv) - (text >> (i + kMaxColumns) & 1);
    const Lanes eq = ~((lo ^ text_lo) | (hi ^ text_hi)) | spare;
    Lanes ph = border;
    Lanes mh = mv ^ mv;
    myers_step(eq, pv, mv, ph, mh);
    score += ph >> 31;
    score -= mh >> 31;
    any |= score;
  }
  return (score | (any & ((mv ^ mv) - right))) >> 31;
}

// Calls found(last, id) for the ends of the query of a seed, around the word that the text has at `place`, see
// look_at(). shrink(seed, query, window) may leave positions out of the window, and returns false if none is left.
template <class Shrink, class Found>
BASESWEEP_HD void verify_edits(const IndexView& index, const PackedView& text, std::uint32_t seed, std::uint64_t place,
                               Shrink shrink, Found found) {
  const std::uint32_t slot = index.seeds[seed].slot;
  const VerifyQuery query = index.verify_queries[slot];
  const std::uint32_t id = index.queries[slot].id;
  const std::int64_t start = static_cast<std::int64_t>(place) - index.before - index.seeds[seed].offset;
  VerifyWindow window = window_around(query, start, text.positions);
  if (!shrink(seed, query, window)) return;
  verify_window(query, index.verify_blocks, text.lo, text.hi, window.begin, window.first, window.end,
                [&](std::uint32_t position) { found(position, id); });
}

// Calls found(last, id) if the query whose gram the text has at `position` matches there with few enough mismatches.
template <class Found>
BASESWEEP_HD void verify_mismatches(const IndexView& index, const PackedView& text, const Seed& seed,
                                    std::uint32_t position, Found found) {
  const SearchedQuery query = index.queries[seed.slot];
  if (position < seed.offset) return;
  const std::uint32_t start = position - seed.offset;
  if (query.length > text.positions || start > text.positions - query.length) return;
  std::uint32_t count = 0;
  const MatchBlock* block = index.blocks + query.first_block;
  for (std::uint32_t done = 0; done < query.length; done += kMatchBlockPositions, ++block) {
    const std::uint64_t bits =
        mismatches(*block, positions_at(text.lo, start + done), positions_at(text.hi, start + done));
    count += count_ones(bits);
    if (count > query.max) return;
  }
  found(start + query.length - 1, query.id);
}

// Calls found(last, id) for the ends of the query to which an entry belongs, where the text has its word at `place`.
// That is the word's position, for a table for edits plus index.before. See verify_edits() for `shrink`.
template <class Shrink, class Found>
BASESWEEP_HD void verify(const IndexView& index, const PackedView& text, std::uint32_t entry, std::uint64_t place,
                         Shrink shrink, Found found) {
  const std::uint32_t seed = index.seed_of[entry];
  if (index.queries[index.seeds[seed].slot].indels) {
    verify_edits(index, text, seed, place, shrink, found);
  } else if (place >= index.before) {
    verify_mismatches(index, text, index.seeds[seed], static_cast<std::uint32_t>(place - index.before), found);
  }
}

}  // namespace basesweep::neighbors
