// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "kernels/planes/scan.hpp"

#include "kernels/planes/step.hpp"
#include "kernels/survivors.hpp"
#include "kernels/word.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

using planes::kBlockColumns;
using planes::kBlockWords;

constexpr int kWords = kBlockWords / kLanes;  // vectors a block fills

struct Block {
  Word word[kWords];
};

Block load_block(const std::uint64_t* plane, unsigned shift) {
  Block block;
  for (int i = 0; i < kWords; ++i) block.word[i] = load_shifted(plane + i * kLanes, shift);
  return block;
}

// The words of a block and those after each: all that shifts by less than 64 columns need. Loaded once for all columns
// of the filter, since the loads of the next words straddle cache lines.
struct Window {
  Block here, next;
};

Window load_window(const std::uint64_t* plane) { return {load_block(plane, 0), load_block(plane + 1, 0)}; }

Block shifted(const Window& window, unsigned columns) {
  if (columns == 0) return window.here;
  Block block;
  for (int i = 0; i < kWords; ++i) {
    block.word[i] = window.here.word[i] >> columns | window.next.word[i] << (64 - columns);
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

// Masks of one pattern column after another, so that a shifted pair of planes is made once for all sets that need it.
void make_base_masks(const planes::IndexView& index, const std::uint64_t* lo, const std::uint64_t* hi,
                     std::uint64_t* masks) {
  const Window lo_window = load_window(lo);
  const Window hi_window = load_window(hi);
  std::uint32_t m = 0;
  while (m < index.base_mask_count) {
    const unsigned column = index.base_masks[m].column;
    const Block lo_block = shifted(lo_window, column);
    const Block hi_block = shifted(hi_window, column);
    if (index.base_masks[m].set == planes::kAllBases) {
      make_four_masks(lo_block, hi_block, masks + std::size_t{m} * kBlockWords);
      m += 4;
    }
    for (; m < index.base_mask_count && index.base_masks[m].column == column; ++m) {
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

Block filter(const planes::FilterEntry& entry, const std::uint64_t* masks) {
  Block found = load_block(masks + std::size_t{entry.masks[0]} * kBlockWords, 0);
  for (unsigned m = 1; m < entry.mask_count; ++m) {
    const std::uint64_t* mask = masks + std::size_t{entry.masks[m]} * kBlockWords;
    for (int i = 0; i < kWords; ++i) found.word[i] &= load_word(mask + i * kLanes);
  }
  return found;
}

// Tries the columns that the filter did not, until nothing is left.
bool verify(const planes::FilterEntry& entry, const BaseSet* sets, const std::uint64_t* lo, const std::uint64_t* hi,
            Block& found) {
  for (std::uint32_t column = planes::kFilterColumns; column < entry.length; ++column) {
    if (sets[column] == kAnyBase) continue;
    const Block lo_block = load_block(lo, column);
    const Block hi_block = load_block(hi, column);
    planes::with_set(sets[column], [&](auto match) {
      for (int i = 0; i < kWords; ++i) found.word[i] &= match(lo_block.word[i], hi_block.word[i]);
    });
    if (!any_left(found)) return false;
  }
  return true;
}

}  // namespace

void planes_scan(const planes::IndexView& index, const PackedView& text, std::uint64_t* masks, HitSink& sink) {
  const std::size_t mask_words = kBlockWords * (std::size_t{index.base_mask_count} + index.pair_mask_count);
  std::uint64_t* survivors = masks + mask_words;
  std::uint64_t* survivor_entry = survivors + std::size_t{index.entry_count} * kBlockWords;

  for (std::uint64_t column = text.own_begin / 64 * 64; column < text.own_end; column += kBlockColumns) {
    const std::uint64_t* lo = text.lo + column / 64;
    const std::uint64_t* hi = text.hi + column / 64;
    make_base_masks(index, lo, hi, masks);
    make_pair_masks(index, masks);
    std::uint32_t count = 0;
    for (std::uint32_t e = 0; e < index.entry_count; ++e) {
      const planes::FilterEntry& entry = index.entries[e];
      Block found = filter(entry, masks);
      if (!any_left(found) || !verify(entry, index.sets + entry.columns, lo, hi, found)) continue;
      for (int i = 0; i < kWords; ++i) {
        store_word(survivors + std::size_t{count} * kBlockWords + i * kLanes, found.word[i]);
      }
      survivor_entry[count++] = entry.entry;
    }
    send_survivors(survivors, survivor_entry, count, kBlockWords, column, text.own_end, sink);
  }
}

}  // namespace basesweep::BASESWEEP_ISA
