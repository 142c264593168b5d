// Seeds that may have errors: the q-grams with which text that holds such a seed may begin, and the comparison of the
// seed with the text behind one. For the CPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/approximate/seed_column.hpp"
#include "kernels/reads/seeds/step.hpp"

namespace basesweep::seeds {

inline constexpr std::uint32_t kMaxSeedErrors = 2;
inline constexpr std::uint32_t kMaxRows = 15;

// The first positions of a seed, at most kMaxRows.
struct ErroneousSeed {
  std::uint32_t eqs[4];  // by base; bit j + 1: position j has it
  std::uint32_t rows;
  std::uint32_t max;  // edits that they may have
};

inline ErroneousSeed erroneous_seed(const ReadQueryView& reads, const ReadQuery& query, const Seed& seed,
                                    std::uint32_t max) {
  const std::uint32_t at = spare_positions(query) + seed.begin;
  const std::uint32_t rows = std::min(seed.length(), kMaxRows);
  const auto lo = static_cast<std::uint32_t>(positions_at(reads.lo + query.first_word, at));
  const auto hi = static_cast<std::uint32_t>(positions_at(reads.hi + query.first_word, at));
  const auto known = static_cast<std::uint32_t>(positions_at(reads.known + query.first_word, at) & low_bits(rows));
  return {
      {(known & ~lo & ~hi) << 1, (known & lo & ~hi) << 1, (known & ~lo & hi) << 1, (known & lo & hi) << 1}, rows, max};
}

// Calls emit(keys, column) for all q-grams that text may have where the seed begins. A part of a q-gram that holds the
// whole seed stands for all q-grams that begin with it. Keys come in order.
template <class Emit>
void for_each_keys(const ErroneousSeed& seed, std::uint32_t gram, const SeedColumn& column, std::uint32_t key,
                   std::uint32_t depth, const Emit& emit) {
  for (std::uint32_t code = 0; code < 4; ++code) {
    if (column.surely_ends(seed.eqs[code], seed.max)) continue;
    const SeedColumn next = column.next(seed.eqs[code], seed.rows, seed.max);
    if (next.empty()) continue;
    const std::uint32_t longer = key << 2 | code;
    const std::uint32_t rest = 2 * (gram - depth - 1);
    if (rest == 0 || next.whole(seed.rows, seed.max)) {
      emit(Keys{longer << rest, (longer + 1) << rest}, next);
    } else {
      for_each_keys(seed, gram, next, longer, depth + 1, emit);
    }
  }
}

// `column`: of the text in front of `position`. Whether the rest of the seed follows there.
inline bool goes_on(const ErroneousSeed& seed, SeedColumn column, const PackedView& text, std::uint32_t position) {
  if (column.whole(seed.rows, seed.max)) return true;
  if (position >= text.positions) return false;
  std::uint64_t lo = positions_at(text.lo, position);
  std::uint64_t hi = positions_at(text.hi, position);
  do {
    column = column.next(seed.eqs[(lo & 1) | (hi & 1) << 1], seed.rows, seed.max);
    lo >>= 1;
    hi >>= 1;
    if (column.whole(seed.rows, seed.max)) return true;
  } while (!column.empty());
  return false;
}

}  // namespace basesweep::seeds
