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

// Items lie by slots: a hash of the first `key_columns` columns, which every entry has, tells the slot.
struct StartsView {
  const std::uint32_t* slot_begin;  // of slot s: items [slot_begin[s], slot_begin[s + 1])
  const StartsItem* items;          // of a slot, in order of entries
  const Chunk* chunks;
  std::uint32_t key_columns;  // 1 to 16
  std::uint32_t slot_shift;   // 32 - the bits of a slot's number
};

struct Starts {
  // Takes the given entries of the set, at least one; none may have IUPAC codes.
  Starts(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  StartsView view() const { return {slot_begin.data(), items.data(), chunks.data(), key_columns, slot_shift}; }

  std::vector<std::uint32_t> slot_begin;
  std::vector<StartsItem> items;
  std::vector<Chunk> chunks;
  std::uint32_t key_columns = 0;
  std::uint32_t slot_shift = 0;
};

// The slot of a q-gram of key_columns columns (Fibonacci hashing: Knuth, volume 3, section 6.4).
BASESWEEP_HD constexpr std::uint32_t starts_slot(std::uint32_t key, std::uint32_t slot_shift) {
  return (key * 0x9E3779B1U) >> slot_shift;
}

// Calls emit(entry) for each that starts at `column`.
template <class Text, class Emit>
BASESWEEP_HD void for_each_start(const StartsView& starts, const Text& text, std::uint32_t column, Emit emit) {
  const std::uint32_t lo = text.lo_at(column);
  const std::uint32_t hi = text.hi_at(column);
  const std::uint32_t slot = starts_slot(qgram(lo, hi, starts.key_columns), starts.slot_shift);
  const std::uint32_t end = starts.slot_begin[slot + 1];
  for (std::uint32_t i = starts.slot_begin[slot]; i < end; ++i) {
    const StartsItem& item = starts.items[i];
    if (!chunk_matches(item.first, lo, hi)) continue;
    if (chunks_match(starts.chunks + item.next_chunk, item.chunk_count, text, column + kChunkColumns)) {
      emit(item.entry);
    }
  }
}

}  // namespace basesweep
