// The words of a seed: those that differ from its gram in few positions, or those that differ from the seed by few
// edits. For the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/seed_column.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::neighbors {

BASESWEEP_HD std::uint32_t set_at(PositionSets sets, std::uint32_t position) {
  return static_cast<std::uint32_t>(sets >> 4 * position) & 15;
}

BASESWEEP_HD std::uint32_t first_code(std::uint32_t set) {
  return (set & 1) != 0 ? 0 : (set & 2) != 0 ? 1 : (set & 4) != 0 ? 2 : 3;
}

BASESWEEP_HD std::uint32_t highest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(bits)));
#else
  return 31 - static_cast<std::uint32_t>(__builtin_clz(bits));
#endif
}

// A word of up to 16 bases as a key: the low code bits of its bases, the first one lowest, and above them the high code
// bits (qgram() in kernels/text.hpp).
struct Word {
  std::uint32_t key;
  std::uint32_t gram;  // positions

  BASESWEEP_HD std::uint32_t code(std::uint32_t position) const {
    return (key >> position & 1) | (key >> (gram + position) & 1) << 1;
  }
  BASESWEEP_HD void set_code(std::uint32_t position, std::uint32_t code) {
    key &= ~(1U << position | 1U << (gram + position));
    key |= (code & 1) << position | (code >> 1) << (gram + position);
  }
};

// Calls emit(key, mismatches) once for each word of `gram` bases with at most `max` mismatches to the sets, none of
// them at the positions whose bits are set in `exact`.
//
// The walk begins with the word of each set's first base. Going deeper changes one position to the right of the last
// change, at no cost if the set holds the new base, else for one mismatch. So every word has one way to it.
template <class Emit>
BASESWEEP_HD void for_each_neighbor(PositionSets sets, std::uint32_t exact, std::uint32_t gram, std::uint32_t max,
                                    Emit emit) {
  Word first{0, gram};
  std::uint32_t ambiguous = 0;  // a bit for each position whose set has several bases
  for (std::uint32_t i = 0; i < gram; ++i) {
    const std::uint32_t set = set_at(sets, i);
    first.set_code(i, first_code(set));
    if ((set & (set - 1)) != 0) ambiguous |= 1U << i;
  }
  const std::uint32_t low_bits = (1U << gram) - 1;
  const std::uint32_t changeable = (ambiguous | ~exact) & low_bits;
  Word word = first;
  std::uint32_t mismatches = 0;
  std::uint32_t position = 0;
  std::uint32_t code = 0;  // the next to try there
  emit(word.key, 0U);
  while (true) {
    if ((mismatches == max ? ambiguous : changeable) >> position == 0) {
      const std::uint32_t changed = word.key ^ first.key;
      const std::uint32_t positions = (changed | changed >> gram) & low_bits;
      if (positions == 0) return;
      position = highest_bit(positions);
      code = word.code(position);
      mismatches -= ~(set_at(sets, position) >> code) & 1;
      word.set_code(position, first.code(position));
      ++code;
      if (code == 4) {
        code = 0;
        ++position;
      }
      continue;
    }
    const std::uint32_t cost = ~(set_at(sets, position) >> code) & 1;
    if (code != first.code(position) && mismatches + cost <= max && (cost & exact >> position) == 0) {
      word.set_code(position, code);
      mismatches += cost;
      emit(word.key, mismatches);
      code = 3;
    }
    if (++code == 4) {
      code = 0;
      ++position;
    }
  }
}

// Calls emit(key, edits) once for each word of `gram` bases that text may have where it has a seed of a query with at
// most seed.max edits: from the first base of the seed on, or, backward, up to its last base. `edits`: at least this
// many are in the word. Where the seed may be shorter than the word, other bases of text fill it up.
template <class Emit>
BASESWEEP_HD void for_each_word_with_edits(const Seed& seed, std::uint32_t gram, Emit emit) {
  std::uint32_t eqs[4] = {};
  for (std::uint32_t j = 0; j < seed.rows; ++j) {
    for (std::uint32_t code = 0; code < 4; ++code) eqs[code] |= (set_at(seed.sets, j) >> code & 1) << (j + 1);
  }
  SeedColumn columns[kMaxGram];  // in front of each base of the word
  columns[0] = SeedColumn::first(seed.max);
  Word word{0, gram};
  std::uint32_t depth = 0;
  std::uint32_t code = 0;  // the next to try there
  while (true) {
    if (code == 4) {
      if (depth == 0) return;
      --depth;
      code = word.code(seed.backward ? gram - 1 - depth : depth) + 1;
      continue;
    }
    if (columns[depth].surely_ends(eqs[code], seed.max) && !columns[depth].whole(seed.rows, seed.max)) {
      ++code;
      continue;
    }
    const SeedColumn column = columns[depth].next(eqs[code], seed.rows, seed.max);
    const std::uint32_t edits = column.edits();
    if (edits > seed.max) {
      ++code;
      continue;
    }
    word.set_code(seed.backward ? gram - 1 - depth : depth, code);
    if (depth + 1 == gram) {
      emit(word.key, edits);
      ++code;
    } else {
      columns[++depth] = column;
      code = 0;
    }
  }
}

// Calls emit(key, mismatches or edits) once for each word of a seed; with the key in the table of the seed.
template <class Emit>
BASESWEEP_HD void for_each_word(const Seed& seed, std::uint32_t gram, Emit emit) {
  if (seed.rows == 0) {
    const std::uint32_t table = static_cast<std::uint32_t>(seed.table) << 2 * gram;
    for_each_neighbor(seed.sets, seed.exact, gram, seed.max,
                      [&](std::uint32_t key, std::uint32_t mismatches) { emit(table | key, mismatches); });
  } else {
    for_each_word_with_edits(seed, gram, emit);
  }
}

}  // namespace basesweep::neighbors
