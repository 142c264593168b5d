// Entries of A, C, G, T by length and fingerprint: what searches in the manner of Karp and Rabin compare the text's
// fingerprints with. For the CPU and CUDA threads.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/text.hpp"
#include "lib/host_device.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// An entry. Fingerprints of fewer than 64 bits have zeros above.
struct FingerprintItem {
  std::uint64_t fingerprint;
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t first_chunk;
};

// The entries of one length: items [begin, end). They lie by slots, a hash of the fingerprint tells which; within a
// slot by fingerprint, then by entry.
struct FingerprintGroup {
  std::uint32_t length;
  std::uint32_t chunk_count;  // of each entry
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t first_slot;  // of slot s: items [slot_begin[first_slot + s], slot_begin[first_slot + s + 1])
  std::uint32_t slot_shift;  // 32 - the bits of a slot's number
  std::uint64_t first[2];    // the fingerprints of the first two items

  std::uint32_t count() const { return end - begin; }
};

struct FingerprintsView {
  const FingerprintGroup* groups;
  std::uint32_t group_count;
  const FingerprintItem* items;
  const std::uint32_t* slot_begin;
  const Chunk* chunks;
};

// An entry's columns to take a fingerprint of: 32 of either plane from any multiple of 16 on, of which those are the
// entry's that lie in its length and before the next multiple of 32.
struct EntryText {
  const Chunk* chunks;
  std::uint32_t lo_at(std::uint32_t column) const { return chunks[column / 32].lo >> column % 32; }
  std::uint32_t hi_at(std::uint32_t column) const { return chunks[column / 32].hi >> column % 32; }
};

struct Fingerprints {
  using Make = std::function<std::uint64_t(const EntryText& text, std::uint32_t length)>;

  // Takes the given entries of the set, none with IUPAC codes; `make` gives the fingerprint of one.
  Fingerprints(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, const Make& make);

  FingerprintsView view() const {
    return {groups.data(), static_cast<std::uint32_t>(groups.size()), items.data(), slot_begin.data(), chunks.data()};
  }

  std::vector<FingerprintGroup> groups;  // by length
  std::vector<FingerprintItem> items;
  std::vector<std::uint32_t> slot_begin;
  std::vector<Chunk> chunks;
};

inline constexpr std::uint32_t kNoItem = std::numeric_limits<std::uint32_t>::max();

// Fibonacci hashing, see kernels/starts.hpp.
BASESWEEP_HD constexpr std::uint32_t fingerprint_slot(std::uint64_t fingerprint, std::uint32_t slot_shift) {
  return static_cast<std::uint32_t>((fingerprint * 0x9E3779B97F4A7C15U) >> 32) >> slot_shift;
}

// The first item with the fingerprint, or kNoItem. Count: how many entries the group has, where that is 1 or 2, else 0.
template <int Count, class Fingerprint>
BASESWEEP_HD std::uint32_t find_fingerprint(const FingerprintsView& view, const FingerprintGroup& group,
                                            Fingerprint fingerprint) {
  if constexpr (Count != 0) {
    if (fingerprint == static_cast<Fingerprint>(group.first[0])) return group.begin;
    if (Count == 2 && fingerprint == static_cast<Fingerprint>(group.first[1])) return group.begin + 1;
    return kNoItem;
  } else {
    const std::uint32_t* slot = view.slot_begin + group.first_slot + fingerprint_slot(fingerprint, group.slot_shift);
    const std::uint32_t end = slot[1];
    for (std::uint32_t i = slot[0]; i < end; ++i) {
      if (view.items[i].fingerprint == fingerprint) return i;
    }
    return kNoItem;
  }
}

// Calls emit(entry) for each entry that has the fingerprint of `item` and is what the text holds at `column`.
template <class Text, class Emit>
BASESWEEP_HD void for_each_verified(const FingerprintsView& view, const FingerprintGroup& group, std::uint32_t item,
                                    const Text& text, std::uint32_t column, Emit emit) {
  const std::uint64_t fingerprint = view.items[item].fingerprint;
  do {
    const FingerprintItem& found = view.items[item];
    if (chunks_match(view.chunks + found.first_chunk, group.chunk_count, text, column)) emit(found.entry);
  } while (++item != group.end && view.items[item].fingerprint == fingerprint);
}

}  // namespace basesweep
