// A table that says which of many queries of A, C, G, T start at a position. It is the last stage of searches that
// first look for positions where some query may start. For the CPU and CUDA threads.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp
struct Query;      // lib/search/query.hpp

// Appends the positions of `query`, in blocks.
void add_blocks(const Query& query, std::vector<PatternBlock>& pattern_blocks);

// A query in the table.
struct StartsItem {
  PatternBlock first;
  std::uint32_t query;        // index in the PatternSet
  std::uint32_t next_block;   // index of its second block into StartsView::pattern_blocks
  std::uint32_t block_count;  // number of its blocks after the first
};

// 32 slots. Items are in order of their slots. A slot's number is a hash of the first `key_positions` positions, which
// every query has. Most slots are empty; the others, the used ones, are numbered through.
struct StartsSlots {
  std::uint32_t used;    // bit i: slot i has items
  std::uint32_t before;  // used slots before these 32
};

struct StartsView {
  const StartsSlots* slots;
  const std::uint32_t* item_begin;  // used slot i has items [item_begin[i], item_begin[i + 1])
  const StartsItem* items;          // within a slot in order of queries
  const PatternBlock* pattern_blocks;
  std::uint32_t key_positions;  // 1 to 16
  std::uint32_t multiplier;     // these two make the hash
  std::uint32_t shift;
};

struct Starts {
  // Takes the given queries of the set, at least one; none may have IUPAC codes.
  Starts(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  StartsView view() const {
    return {slots.data(), item_begin.data(), items.data(), pattern_blocks.data(), key_positions, multiplier, shift};
  }

  std::vector<StartsSlots> slots;
  std::vector<std::uint32_t> item_begin;
  std::vector<StartsItem> items;
  std::vector<PatternBlock> pattern_blocks;
  std::uint32_t shortest = 0;  // positions of the shortest query
  std::uint32_t key_positions = 0;
  std::uint32_t multiplier = 1;
  std::uint32_t shift = 0;
};

struct StartsRange {
  std::uint32_t begin, end;
};

inline constexpr std::uint32_t kNoSlot = ~0U;

// The number, among used slots, of the slot that 32 positions of text lead to; kNoSlot if it is empty.
BASESWEEP_HD std::uint32_t used_slot(const StartsView& starts, std::uint32_t lo, std::uint32_t hi) {
  const std::uint32_t slot = (qgram(lo, hi, starts.key_positions) * starts.multiplier) >> starts.shift;
  const StartsSlots slots = starts.slots[slot / 32];
  const std::uint32_t bit = 1U << slot % 32;
  return (slots.used & bit) == 0 ? kNoSlot : slots.before + count_ones(slots.used & (bit - 1));
}

// The items of the slot that 32 positions of text lead to.
BASESWEEP_HD StartsRange items_for(const StartsView& starts, std::uint32_t lo, std::uint32_t hi) {
  const std::uint32_t slot = used_slot(starts, lo, hi);
  if (slot == kNoSlot) return {0, 0};
  return {starts.item_begin[slot], starts.item_begin[slot + 1]};
}

// True if an item starts at `position`. lo and hi hold the 32 positions from there on.
template <class Text>
BASESWEEP_HD bool item_matches(const StartsView& starts, const StartsItem& item, std::uint32_t lo, std::uint32_t hi,
                               const Text& text, std::uint32_t position) {
  return block_matches(item.first, lo, hi) && blocks_match(starts.pattern_blocks + item.next_block, item.block_count,
                                                           text, position + kPatternBlockPositions);
}

// Calls emit(query) for each query that starts at `position`.
template <class Text, class Emit>
BASESWEEP_HD void for_each_start(const StartsView& starts, const Text& text, std::uint32_t position, Emit emit) {
  const std::uint32_t lo = text.lo_at(position);
  const std::uint32_t hi = text.hi_at(position);
  const StartsRange range = items_for(starts, lo, hi);
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    if (item_matches(starts, starts.items[i], lo, hi, text, position)) emit(starts.items[i].query);
  }
}

}  // namespace basesweep
