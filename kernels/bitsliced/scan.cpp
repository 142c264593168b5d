// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/bitsliced/scan.hpp"

#include "kernels/bitsliced/vector.hpp"
#include "kernels/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using bitsliced::kGroupRows;
using bitsliced::kMostCountBits;
using bitsliced::kTileColumns;
using bitsliced::ScanIndex;
using bitsliced::ScanWindow;

// Bit t of lane n belongs to text 64 n + t, which holds the columns from (64 n + t) * Layout::columns on.
constexpr std::uint32_t kTexts = 64 * kLanes;

// Where the scan's data lie in scratch memory. A column of something is a Word.
struct Layout {
  Layout(const ScanIndex& index, std::uint32_t text_columns) {
    const std::uint32_t blocks = (text_columns + 64 * kTexts - 1) / (64 * kTexts);
    columns = 64 * (blocks == 0 ? 1 : blocks);
    lo = 0;
    hi = lo + columns;
    masks = hi + columns;
    horizontal = masks + std::size_t{index.set_count} * kTileColumns;
    survivors = horizontal + 2 * kTileColumns;
    states = survivors + kTileColumns;
    words = states;
    for (std::uint32_t i = 0; i < index.window_count; ++i) words += 2 * index.windows[i].rows + kMostCountBits;
  }
  std::uint32_t columns;   // of each text, a multiple of 64
  std::size_t lo, hi;      // the planes, column by column
  std::size_t masks;       // for each set where the texts' tile does not hold it
  std::size_t horizontal;  // Ph and Mh below a group of rows
  std::size_t survivors;
  std::size_t states;  // of each window: Pv and Mv of each row, counters
  std::size_t words;
};

Word* at(std::uint64_t* scratch, std::size_t word) { return reinterpret_cast<Word*>(scratch + word * kLanes); }

// Lays a plane out column by column; what lies past its words is 0.
void transpose_plane(const std::uint64_t* plane, std::size_t words, std::uint32_t columns, Word* out) {
  const std::uint32_t blocks = columns / 64;
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

// The columns before those of each text, which the text before it holds. Text 0 gets code 0.
Word from_text_before(Word column) {
  std::uint64_t lanes[kLanes];
  store_word(lanes, column);
  for (int lane = kLanes - 1; lane > 0; --lane) lanes[lane] = lanes[lane] << 1 | lanes[lane - 1] >> 63;
  lanes[0] <<= 1;
  return load_word(lanes);
}

// Masks of a tile's columns. `outside`: the texts that have no such columns; nothing but padding matches there, so that
// matches have to start in the text.
void make_masks(const ScanIndex& index, const Word* lo, const Word* hi, std::uint32_t count, Word outside,
                Word* masks) {
  for (std::uint32_t s = 0; s < index.set_count; ++s, masks += kTileColumns) {
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

// Takes a group of rows through a tile. state: Pv and Mv of each.
template <bool top>
void advance_rows(const Word* masks, const std::uint8_t* mask, Word* state, Word* horizontal, std::uint32_t count) {
  const Word* ne[kGroupRows];
  Word pv[kGroupRows];
  Word mv[kGroupRows];
  for (std::uint32_t r = 0; r < kGroupRows; ++r) {
    ne[r] = masks + mask[r] * kTileColumns;
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

// Takes the counters through a tile; returns the texts that have survivors.
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

int count_bits(const ScanWindow& window) {
  for (int bits = 4; bits < kMostCountBits; ++bits) {
    if (bitsliced::survival_test(window.rows, window.edits, bits) != bitsliced::Test::none) return bits;
  }
  return kMostCountBits;
}

void start(const ScanWindow& window, Word* state) {
  for (std::uint32_t r = 0; r < window.rows; ++r) {
    state[2 * r] = ~Word{};
    state[2 * r + 1] = Word{};
  }
  for (int b = 0; b < kMostCountBits; ++b) {
    state[2 * window.rows + b] = bitsliced::first_count_bit(window.rows, window.edits, b) ? ~Word{} : Word{};
  }
}

// Takes a window through a tile; returns the texts that have survivors.
Word advance(const ScanWindow& window, const Word* masks, std::uint32_t count, Word* state, Word* horizontal,
             Word* survivors) {
  advance_rows<true>(masks, window.mask, state, horizontal, count);
  for (std::uint32_t r = kGroupRows; r < window.rows; r += kGroupRows) {
    advance_rows<false>(masks, window.mask + r, state + 2 * r, horizontal, count);
  }
  const int bits = count_bits(window);
  const bool one = bitsliced::survival_test(window.rows, window.edits, bits) == bitsliced::Test::one_bit;
  const Word one_bit = one ? ~Word{} : Word{};
  Word* counters = state + 2 * window.rows;
  switch (bits) {
    case 4: return count_scores<4>(horizontal, count, one_bit, counters, survivors);
    case 5: return count_scores<5>(horizontal, count, one_bit, counters, survivors);
    default: return count_scores<6>(horizontal, count, one_bit, counters, survivors);
  }
}

// Sends each text's runs of surviving columns in a tile that begins at column `column` of the texts.
void send_runs(std::uint32_t window, const Word& texts, const Word* survivors, const Layout& layout,
               std::uint32_t column, bitsliced::Survivors& to) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint64_t left = texts[lane]; left != 0; left &= left - 1) {
      const auto t = static_cast<unsigned>(__builtin_ctzll(left));
      std::uint64_t run = 0;
      for (std::uint32_t c = 0; c < kTileColumns; ++c) run |= (survivors[c][lane] >> t & 1) << c;
      const std::uint64_t begin = std::uint64_t{lane * 64 + t} * layout.columns + column;
      while (run != 0) {
        const auto first = static_cast<unsigned>(__builtin_ctzll(run));
        const std::uint64_t after = ~(run >> first);
        const unsigned length = after == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(after));
        to.run(window, begin + first, begin + first + length - 1);
        run = first + length == 64 ? 0 : run >> (first + length) << (first + length);
      }
    }
  }
}

}  // namespace

std::size_t bitsliced_scratch_words(const ScanIndex& index, std::uint32_t columns) {
  return Layout(index, columns).words * kLanes;
}

void bitsliced_scan(const ScanIndex& index, const PackedView& text, std::uint64_t* scratch, bitsliced::Survivors& to) {
  const Layout layout(index, text.columns);
  const std::size_t words = (std::size_t{text.columns} + 63) / 64;
  Word* lo = at(scratch, layout.lo);
  Word* hi = at(scratch, layout.hi);
  Word* masks = at(scratch, layout.masks);
  Word* horizontal = at(scratch, layout.horizontal);
  Word* survivors = at(scratch, layout.survivors);
  transpose_plane(text.lo, words, layout.columns, lo);
  transpose_plane(text.hi, words, layout.columns, hi);

  Word* state = at(scratch, layout.states);
  Word lo_before[kTileColumns];
  Word hi_before[kTileColumns];
  for (std::uint32_t c = 0; c < index.warm_up; ++c) {
    lo_before[c] = from_text_before(lo[layout.columns - index.warm_up + c]);
    hi_before[c] = from_text_before(hi[layout.columns - index.warm_up + c]);
  }
  make_masks(index, lo_before, hi_before, index.warm_up, Word{1}, masks);
  for (std::uint32_t i = 0; i < index.window_count; ++i) {
    start(index.windows[i], state);
    advance(index.windows[i], masks, index.warm_up, state, horizontal, survivors);
    state += 2 * index.windows[i].rows + kMostCountBits;
  }
  for (std::uint32_t c = 0; c < layout.columns; c += kTileColumns) {
    make_masks(index, lo + c, hi + c, kTileColumns, Word{}, masks);
    state = at(scratch, layout.states);
    for (std::uint32_t i = 0; i < index.window_count; ++i) {
      const Word found = advance(index.windows[i], masks, kTileColumns, state, horizontal, survivors);
      if (any(found)) send_runs(i, found, survivors, layout, c, to);
      state += 2 * index.windows[i].rows + kMostCountBits;
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
