// Compiled once for each instruction set, which BASESWEEP_ISA names. Do not use anything of the standard library that
// could be instantiated here: the linker might keep this copy for callers on older processors.
#include "kernels/exact/planes/scan.hpp"

#include "kernels/cpu/survivors.hpp"
#include "kernels/cpu/word.hpp"
#include "kernels/exact/planes/step.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using planes::kBlockPositions;
using planes::kBlockWords;

constexpr int kWords = kBlockWords / kLanes;  // vectors that a block fills

struct Block {
  Word word[kWords];
};

Block load_block(const std::uint64_t* plane, unsigned shift) {
  Block block;
  for (int i = 0; i < kWords; ++i) block.word[i] = load_shifted(plane + i * kLanes, shift);
  return block;
}

// The words of a block, and the word after each: enough for shifts by less than 64 positions. They are loaded once for
// all positions of the filter, because the loads of the next words straddle cache lines.
struct ShiftableBlock {
  Block here, next;
};

ShiftableBlock load_shiftable(const std::uint64_t* plane) { return {load_block(plane, 0), load_block(plane + 1, 0)}; }

Block shifted(const ShiftableBlock& from, unsigned positions) {
  if (positions == 0) return from.here;
  Block block;
  for (int i = 0; i < kWords; ++i) {
    block.word[i] = from.here.word[i] >> positions | from.next.word[i] << (64 - positions);
  }
  return block;
}

bool any_left(const Block& block) {
  Word all = block.word[0];
  for (int i = 1; i < kWords; ++i) all |= block.word[i];
  return any(all);
}

// The masks of A, C, T and G, side by side.
void make_four_masks(const Block& lo, const Block& hi, std::uint64_t* mask) {
  for (int i = 0; i < kWords; ++i, mask += kLanes) {
    const Word either = lo.word[i] | hi.word[i];
    const Word both = lo.word[i] & hi.word[i];
    store_word(mask, ~either);
    store_word(mask + kBlockWords, lo.word[i] ^ both);
    store_word(mask + 2 * kBlockWords, hi.word[i] ^ both);
    store_word(mask + 3 * kBlockWords, both);
  }
}

// Makes the masks of one pattern position after another, so that a shifted pair of planes is made once for all sets
// that need it.
void make_base_masks(const planes::IndexView& index, const std::uint64_t* lo, const std::uint64_t* hi,
                     std::uint64_t* masks) {
  const ShiftableBlock lo_words = load_shiftable(lo);
  const ShiftableBlock hi_words = load_shiftable(hi);
  std::uint32_t m = 0;
  while (m < index.base_mask_count) {
    const unsigned position = index.base_masks[m].position;
    const Block lo_block = shifted(lo_words, position);
    const Block hi_block = shifted(hi_words, position);
    if (index.base_masks[m].set == planes::kAllBases) {
      make_four_masks(lo_block, hi_block, masks + std::size_t{m} * kBlockWords);
      m += 4;
    }
    for (; m < index.base_mask_count && index.base_masks[m].position == position; ++m) {
      std::uint64_t* mask = masks + std::size_t{m} * kBlockWords;
      planes::with_set(index.base_masks[m].set, [&](auto match) {
        for (int i = 0; i < kWords; ++i) store_word(mask + i * kLanes, match(lo_block.word[i], hi_block.word[i]));
      });
    }
  }
}

void make_pair_masks(const planes::IndexView& index, std::uint64_t* masks) {
  std::uint64_t* pair = masks + std::size_t{index.base_mask_count} * kBlockWords;
  for (std::uint32_t p = 0; p < index.pair_mask_count; ++p, pair += kBlockWords) {
    const std::uint64_t* first = masks + std::size_t{index.pair_masks[p].first} * kBlockWords;
    const std::uint64_t* second = masks + std::size_t{index.pair_masks[p].second} * kBlockWords;
    for (int i = 0; i < kWords; ++i) {
      store_word(pair + i * kLanes, load_word(first + i * kLanes) & load_word(second + i * kLanes));
    }
  }
}

Block filter(const planes::FilterQuery& query, const std::uint64_t* masks) {
  Block found = load_block(masks + std::size_t{query.masks[0]} * kBlockWords, 0);
  for (unsigned m = 1; m < query.mask_count; ++m) {
    const std::uint64_t* mask = masks + std::size_t{query.masks[m]} * kBlockWords;
    for (int i = 0; i < kWords; ++i) found.word[i] &= load_word(mask + i * kLanes);
  }
  return found;
}

// Tries the positions after the filter's, until no candidate is left. Returns whether any is.
bool verify(const planes::FilterQuery& query, const BaseSet* sets, const std::uint64_t* lo, const std::uint64_t* hi,
            Block& found) {
  for (std::uint32_t position = planes::kFilterPositions; position < query.length; ++position) {
    if (sets[position] == kAnyBase) continue;
    const Block lo_block = load_block(lo, position);
    const Block hi_block = load_block(hi, position);
    planes::with_set(sets[position], [&](auto match) {
      for (int i = 0; i < kWords; ++i) found.word[i] &= match(lo_block.word[i], hi_block.word[i]);
    });
    if (!any_left(found)) return false;
  }
  return true;
}

}  // namespace

void planes_scan(const planes::IndexView& index, const PackedView& text, std::uint64_t* masks, OccurrenceSink& sink) {
  const std::size_t mask_words = kBlockWords * (std::size_t{index.base_mask_count} + index.pair_mask_count);
  std::uint64_t* survivors = masks + mask_words;
  std::uint64_t* survivor_query = survivors + std::size_t{index.query_count} * kBlockWords;

  for (std::uint64_t position = text.own_begin / 64 * 64; position < text.own_end; position += kBlockPositions) {
    const std::uint64_t* lo = text.lo + position / 64;
    const std::uint64_t* hi = text.hi + position / 64;
    make_base_masks(index, lo, hi, masks);
    make_pair_masks(index, masks);
    std::uint32_t count = 0;
    for (std::uint32_t e = 0; e < index.query_count; ++e) {
      const planes::FilterQuery& query = index.queries[e];
      Block found = filter(query, masks);
      if (!any_left(found) || !verify(query, index.sets + query.first_set, lo, hi, found)) continue;
      for (int i = 0; i < kWords; ++i) {
        store_word(survivors + std::size_t{count} * kBlockWords + i * kLanes, found.word[i]);
      }
      survivor_query[count++] = query.query;
    }
    send_survivors(survivors, survivor_query, count, kBlockWords, position, text.own_end, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
