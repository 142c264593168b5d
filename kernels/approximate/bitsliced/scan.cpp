// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/approximate/bitsliced/scan.hpp"

#include "kernels/approximate/bitsliced/vector.hpp"
#include "kernels/cpu/word.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using bitsliced::kGroupRows;
using bitsliced::kMaxCountBits;
using bitsliced::kTilePositions;
using bitsliced::ScanIndex;
using bitsliced::ScanSeed;

// Bit t of lane n belongs to text 64 n + t, which holds the positions from (64 n + t) * ScratchLayout::positions on.
constexpr std::uint32_t kTexts = 64 * kLanes;

// Says where the scan's data lie in scratch memory. Each position of a plane, mask or difference takes a Word.
struct ScratchLayout {
  ScratchLayout(const ScanIndex& index, std::uint32_t text_positions) {
    const std::uint32_t blocks = (text_positions + 64 * kTexts - 1) / (64 * kTexts);
    positions = 64 * (blocks == 0 ? 1 : blocks);
    lo = 0;
    hi = lo + positions;
    masks = hi + positions;
    horizontal = masks + std::size_t{index.set_count} * kTilePositions;
    survivors = horizontal + 2 * kTilePositions;
    states = survivors + kTilePositions;
    words = states;
    for (std::uint32_t i = 0; i < index.seed_count; ++i) words += 2 * index.seeds[i].rows + kMaxCountBits;
  }
  std::uint32_t positions;  // in each text; a multiple of 64
  std::size_t lo, hi;       // the planes, position by position
  std::size_t masks;        // for each set, where the texts' bases in the tile are not in the set
  std::size_t horizontal;   // Ph and Mh below a group of rows
  std::size_t survivors;
  std::size_t states;  // for each seed: Pv and Mv of each row, then the counters
  std::size_t words;
};

Word* at(std::uint64_t* scratch, std::size_t word) { return reinterpret_cast<Word*>(scratch + word * kLanes); }

// Lays a plane out position by position. Past its words there are zeros.
void transpose_plane(const std::uint64_t* plane, std::size_t words, std::uint32_t positions, Word* out) {
  const std::uint32_t blocks = positions / 64;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    Word row[64];
    for (std::uint32_t t = 0; t < 64; ++t) {
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t w = (std::size_t{lane} * 64 + t) * blocks + block;
        row[t][lane] = w < words ? plane[w] : 0;
      }
    }
    transpose(row);
    for (std::uint32_t c = 0; c < 64; ++c) out[block * 64 + c] = row[c];
  }
}

// Each text gets the bit of the text before it, which holds the positions in front of its own. Text 0 gets 0.
Word from_text_before(Word position) {
  std::uint64_t lanes[kLanes];
  store_word(lanes, position);
  for (int lane = kLanes - 1; lane > 0; --lane) lanes[lane] = lanes[lane] << 1 | lanes[lane - 1] >> 63;
  lanes[0] <<= 1;
  return load_word(lanes);
}

// Makes the masks of a tile's positions. `outside`: the texts that do not have these positions. There only padding
// matches, so that matches start in the text.
void make_masks(const ScanIndex& index, const Word* lo, const Word* hi, std::uint32_t count, Word outside,
                Word* masks) {
  for (std::uint32_t s = 0; s < index.set_count; ++s, masks += kTilePositions) {
    const BaseSet set = index.sets[s];
    const Word none = set == bitsliced::kPadding ? Word{} : ~Word{};
    for (std::uint32_t c = 0; c < count; ++c) masks[c] = none;
    for (int code = 0; code < 4; ++code) {
      if ((set >> code & 1) == 0) continue;
      const Word lo_bit = (code & 1) != 0 ? ~Word{} : Word{};
      const Word hi_bit = (code & 2) != 0 ? ~Word{} : Word{};
      for (std::uint32_t c = 0; c < count; ++c) masks[c] &= (lo[c] ^ lo_bit) | (hi[c] ^ hi_bit) | outside;
    }
  }
}

// Moves a group of rows through a tile. `state` has Pv and Mv of each row.
template <bool top>
void advance_rows(const Word* masks, const std::uint8_t* mask, Word* state, Word* horizontal, std::uint32_t count) {
  const Word* ne[kGroupRows];
  Word pv[kGroupRows];
  Word mv[kGroupRows];
  for (std::uint32_t r = 0; r < kGroupRows; ++r) {
    ne[r] = masks + mask[r] * kTilePositions;
    pv[r] = state[2 * r];
    mv[r] = state[2 * r + 1];
  }
  for (std::uint32_t c = 0; c < count; ++c) {
    Word ph = top ? Word{} : horizontal[2 * c];
    Word mh = top ? Word{} : horizontal[2 * c + 1];
#pragma GCC unroll 16
    for (std::uint32_t r = 0; r < kGroupRows; ++r) bitsliced::cell<Logic>(ne[r][c], pv[r], mv[r], ph, mh);
    horizontal[2 * c] = ph;
    horizontal[2 * c + 1] = mh;
  }
  for (std::uint32_t r = 0; r < kGroupRows; ++r) {
    state[2 * r] = pv[r];
    state[2 * r + 1] = mv[r];
  }
}

// Moves the counters through a tile. Returns the texts that have survivors.
template <int bits>
Word count_scores(const Word* horizontal, std::uint32_t count, Word one_bit, Word* counters, Word* survivors) {
  Word x[bits];
  for (int b = 0; b < bits; ++b) x[b] = counters[b];
  Word all{};
  for (std::uint32_t c = 0; c < count; ++c) {
    bitsliced::count<Logic>(x, horizontal[2 * c], horizontal[2 * c + 1]);
    survivors[c] = bitsliced::survivors(x, one_bit);
    all |= survivors[c];
  }
  for (int b = 0; b < bits; ++b) counters[b] = x[b];
  return all;
}

bitsliced::Test survival_test(const ScanSeed& seed, int bits) {
  return bitsliced::survival_test(static_cast<int>(seed.rows), static_cast<int>(seed.edits), bits);
}

int count_bits(const ScanSeed& seed) {
  for (int bits = 4; bits < kMaxCountBits; ++bits) {
    if (survival_test(seed, bits) != bitsliced::Test::none) return bits;
  }
  return kMaxCountBits;
}

void start(const ScanSeed& seed, Word* state) {
  for (std::uint32_t r = 0; r < seed.rows; ++r) {
    state[2 * r] = ~Word{};
    state[2 * r + 1] = Word{};
  }
  const auto rows = static_cast<int>(seed.rows), edits = static_cast<int>(seed.edits);
  for (int b = 0; b < kMaxCountBits; ++b) {
    state[2 * seed.rows + b] = bitsliced::first_count_bit(rows, edits, b) ? ~Word{} : Word{};
  }
}

// Moves a seed through a tile. Returns the texts that have survivors.
Word advance(const ScanSeed& seed, const Word* masks, std::uint32_t count, Word* state, Word* horizontal,
             Word* survivors) {
  advance_rows<true>(masks, seed.mask, state, horizontal, count);
  for (std::uint32_t r = kGroupRows; r < seed.rows; r += kGroupRows) {
    advance_rows<false>(masks, seed.mask + r, state + 2 * r, horizontal, count);
  }
  const int bits = count_bits(seed);
  const bool one = survival_test(seed, bits) == bitsliced::Test::one_bit;
  const Word one_bit = one ? ~Word{} : Word{};
  Word* counters = state + 2 * seed.rows;
  switch (bits) {
    case 4: return count_scores<4>(horizontal, count, one_bit, counters, survivors);
    case 5: return count_scores<5>(horizontal, count, one_bit, counters, survivors);
    default: return count_scores<6>(horizontal, count, one_bit, counters, survivors);
  }
}

// Sends the runs of surviving positions of each text, in the tile that begins at `position` of the texts.
void send_runs(std::uint32_t seed, const Word& texts, const Word* survivors, const ScratchLayout& layout,
               std::uint32_t position, bitsliced::Survivors& to) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint64_t left = texts[lane]; left != 0; left &= left - 1) {
      const auto t = static_cast<unsigned>(__builtin_ctzll(left));
      std::uint64_t run = 0;
      for (std::uint32_t c = 0; c < kTilePositions; ++c) run |= (survivors[c][lane] >> t & 1) << c;
      const std::uint64_t begin = std::uint64_t{lane * 64 + t} * layout.positions + position;
      while (run != 0) {
        const auto first = static_cast<unsigned>(__builtin_ctzll(run));
        const std::uint64_t after = ~(run >> first);
        const unsigned length = after == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(after));
        to.run(seed, begin + first, begin + first + length - 1);
        run = first + length == 64 ? 0 : run >> (first + length) << (first + length);
      }
    }
  }
}

}  // namespace

std::size_t bitsliced_scratch_words(const ScanIndex& index, std::uint32_t positions) {
  return ScratchLayout(index, positions).words * kLanes;
}

void bitsliced_scan(const ScanIndex& index, const PackedView& text, std::uint64_t* scratch, bitsliced::Survivors& to) {
  const ScratchLayout layout(index, text.positions);
  const std::size_t words = (std::size_t{text.positions} + 63) / 64;
  Word* lo = at(scratch, layout.lo);
  Word* hi = at(scratch, layout.hi);
  Word* masks = at(scratch, layout.masks);
  Word* horizontal = at(scratch, layout.horizontal);
  Word* survivors = at(scratch, layout.survivors);
  transpose_plane(text.lo, words, layout.positions, lo);
  transpose_plane(text.hi, words, layout.positions, hi);

  Word* state = at(scratch, layout.states);
  Word lo_before[kTilePositions];
  Word hi_before[kTilePositions];
  for (std::uint32_t c = 0; c < index.warm_up; ++c) {
    lo_before[c] = from_text_before(lo[layout.positions - index.warm_up + c]);
    hi_before[c] = from_text_before(hi[layout.positions - index.warm_up + c]);
  }
  make_masks(index, lo_before, hi_before, index.warm_up, Word{1}, masks);
  for (std::uint32_t i = 0; i < index.seed_count; ++i) {
    start(index.seeds[i], state);
    advance(index.seeds[i], masks, index.warm_up, state, horizontal, survivors);
    state += 2 * index.seeds[i].rows + kMaxCountBits;
  }
  for (std::uint32_t c = 0; c < layout.positions; c += kTilePositions) {
    make_masks(index, lo + c, hi + c, kTilePositions, Word{}, masks);
    state = at(scratch, layout.states);
    for (std::uint32_t i = 0; i < index.seed_count; ++i) {
      const Word found = advance(index.seeds[i], masks, kTilePositions, state, horizontal, survivors);
      if (any(found)) send_runs(i, found, survivors, layout, c, to);
      state += 2 * index.seeds[i].rows + kMaxCountBits;
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
