// A table of queries of A, C, G, T by length and fingerprint, for searches that compare fingerprints of the text with
// them (Karp and Rabin 1987). For the CPU and CUDA threads.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// A query in the table.
struct FingerprintItem {
  std::uint64_t fingerprint;  // with zeros above its bits, if they are fewer than 64
  std::uint32_t query;        // index in the PatternSet
  std::uint32_t first_block;  // index into FingerprintsView::pattern_blocks
};

// The queries of one length: items [begin, end), in order of slot, fingerprint and query. The slot is a hash of the
// fingerprint.
struct FingerprintGroup {
  std::uint32_t length;
  std::uint32_t block_count;  // blocks of each query
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t first_slot;  // slot s has items [slot_begin[first_slot + s], slot_begin[first_slot + s + 1])
  std::uint32_t slot_shift;  // 32 minus the bits of a slot's number
  std::uint64_t first[2];    // the fingerprints of the first two items

  std::uint32_t count() const { return end - begin; }
};

struct FingerprintsView {
  const FingerprintGroup* groups;
  std::uint32_t group_count;
  const FingerprintItem* items;
  const std::uint32_t* slot_begin;
  const PatternBlock* pattern_blocks;
};

// A query as a text, to take the fingerprint of. lo_at() and hi_at() take multiples of 16. Only those positions of
// their result are right that lie within the query and before the next multiple of 32.
struct QueryText {
  const PatternBlock* pattern_blocks;
  std::uint32_t lo_at(std::uint32_t position) const { return pattern_blocks[position / 32].lo >> position % 32; }
  std::uint32_t hi_at(std::uint32_t position) const { return pattern_blocks[position / 32].hi >> position % 32; }
};

struct Fingerprints {
  using Make = std::function<std::uint64_t(const QueryText& text, std::uint32_t length)>;

  // Takes the given queries of the set; none may have IUPAC codes. `make` computes the fingerprint of a query.
  Fingerprints(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, const Make& make);

  FingerprintsView view() const {
    return {groups.data(), static_cast<std::uint32_t>(groups.size()), items.data(), slot_begin.data(),
            pattern_blocks.data()};
  }

  std::vector<FingerprintGroup> groups;  // by length
  std::vector<FingerprintItem> items;
  std::vector<std::uint32_t> slot_begin;
  std::vector<PatternBlock> pattern_blocks;
};

inline constexpr std::uint32_t kNoItem = std::numeric_limits<std::uint32_t>::max();

// Fibonacci hashing, see kernels/tables/starts.hpp.
BASESWEEP_HD constexpr std::uint32_t fingerprint_slot(std::uint64_t fingerprint, std::uint32_t slot_shift) {
  return static_cast<std::uint32_t>((fingerprint * 0x9E3779B97F4A7C15U) >> 32) >> slot_shift;
}

// Returns the first item with the fingerprint, or kNoItem. Count: the number of queries in the group if it is 1 or 2,
// else 0.
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

// Calls emit(query) for each query that has the fingerprint of `item` and occurs at `position` of the text.
template <class Text, class Emit>
BASESWEEP_HD void for_each_verified(const FingerprintsView& view, const FingerprintGroup& group, std::uint32_t item,
                                    const Text& text, std::uint32_t position, Emit emit) {
  const std::uint64_t fingerprint = view.items[item].fingerprint;
  do {
    const FingerprintItem& found = view.items[item];
    if (blocks_match(view.pattern_blocks + found.first_block, group.block_count, text, position)) emit(found.query);
  } while (++item != group.end && view.items[item].fingerprint == fingerprint);
}

}  // namespace basesweep
