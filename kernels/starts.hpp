// Which of many entries of A, C, G, T start at a column: the last stage of searches that first look for places where
// some may. For the CPU and CUDA threads.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/host_device.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// The columns of `entry` as chunks, added to `chunks`.
void add_chunks(const Entry& entry, std::vector<Chunk>& chunks);

// An entry as Starts keeps it: its first chunk, and where the others lie.
struct StartsItem {
  Chunk first;
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t next_chunk;
  std::uint32_t chunk_count;  // of those others
};

// The items lie by slots. A hash of the first `key_columns` columns, which every entry has, is the slot's number; most
// slots are empty, and those that are not are counted through.
struct StartsSlots {     // 32 slots
  std::uint32_t used;    // bit i: slot i has items
  std::uint32_t before;  // slots with items before these
};

struct StartsView {
  const StartsSlots* slots;
  const std::uint32_t* item_begin;  // of the i-th slot with items: items [item_begin[i], item_begin[i + 1])
  const StartsItem* items;          // of a slot, in order of entries
  const Chunk* chunks;
  std::uint32_t key_columns;  // 1 to 16
  std::uint32_t multiplier;   // of the hash
  std::uint32_t shift;        // likewise
};

struct Starts {
  // Takes the given entries of the set, at least one; none may have IUPAC codes.
  Starts(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  StartsView view() const {
    return {slots.data(), item_begin.data(), items.data(), chunks.data(), key_columns, multiplier, shift};
  }

  std::vector<StartsSlots> slots;
  std::vector<std::uint32_t> item_begin;
  std::vector<StartsItem> items;
  std::vector<Chunk> chunks;
  std::uint32_t shortest = 0;  // columns of the shortest entry
  std::uint32_t key_columns = 0;
  std::uint32_t multiplier = 1;
  std::uint32_t shift = 0;
};

struct StartsRange {
  std::uint32_t begin, end;
};

inline constexpr std::uint32_t kNoSlot = ~0U;

// The slot that 32 columns of text lead to, counted among those that have items, or kNoSlot.
BASESWEEP_HD std::uint32_t used_slot(const StartsView& starts, std::uint32_t lo, std::uint32_t hi) {
  const std::uint32_t slot = (qgram(lo, hi, starts.key_columns) * starts.multiplier) >> starts.shift;
  const StartsSlots slots = starts.slots[slot / 32];
  const std::uint32_t bit = 1U << slot % 32;
  return (slots.used & bit) == 0 ? kNoSlot : slots.before + count_ones(slots.used & (bit - 1));
}

// The items of that slot.
BASESWEEP_HD StartsRange items_for(const StartsView& starts, std::uint32_t lo, std::uint32_t hi) {
  const std::uint32_t slot = used_slot(starts, lo, hi);
  if (slot == kNoSlot) return {0, 0};
  return {starts.item_begin[slot], starts.item_begin[slot + 1]};
}

// Whether an item starts at `column`, of which lo and hi are the first 32 columns.
template <class Text>
BASESWEEP_HD bool item_matches(const StartsView& starts, const StartsItem& item, std::uint32_t lo, std::uint32_t hi,
                               const Text& text, std::uint32_t column) {
  return chunk_matches(item.first, lo, hi) &&
         chunks_match(starts.chunks + item.next_chunk, item.chunk_count, text, column + kChunkColumns);
}

// Calls emit(entry) for each that starts at `column`.
template <class Text, class Emit>
BASESWEEP_HD void for_each_start(const StartsView& starts, const Text& text, std::uint32_t column, Emit emit) {
  const std::uint32_t lo = text.lo_at(column);
  const std::uint32_t hi = text.hi_at(column);
  const StartsRange range = items_for(starts, lo, hi);
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    if (item_matches(starts, starts.items[i], lo, hi, text, column)) emit(starts.items[i].entry);
  }
}

}  // namespace basesweep
