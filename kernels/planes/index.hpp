// What `planes` prepares from the patterns.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lib/pattern_set.hpp"

namespace basesweep::planes {

// Columns of a pattern that the CPU's filter looks at before the others are tried one by one.
inline constexpr std::uint32_t kFilterColumns = 8;

// In the set of the first of four masks: they are those of A, C, T and G, made together without a switch.
inline constexpr BaseSet kAllBases = 16;

// The filter works on masks of 1,024 text positions. A base mask says where column `column` of a pattern, placed there,
// would find a base of `set`; a pair mask is the AND of two base masks that several entries need together.
struct BaseMask {
  std::uint8_t column;
  BaseSet set;
};

struct PairMask {
  std::uint16_t first, second;  // indices of base masks
};

struct FilterEntry {
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t length;
  std::size_t columns;  // first of its sets in Index::sets
  std::uint16_t mask_count;
  std::uint16_t masks[kFilterColumns];  // base masks first, then pair masks, in one numbering
};

// As plain pointers, for the scan.
struct IndexView {
  const BaseMask* base_masks;
  const PairMask* pair_masks;
  const FilterEntry* entries;
  const BaseSet* sets;
  std::uint32_t base_mask_count, pair_mask_count, entry_count;
};

struct Index {
  // Takes the given entries of the set.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  IndexView view() const {
    return {base_masks.data(),
            pair_masks.data(),
            entries.data(),
            sets.data(),
            static_cast<std::uint32_t>(base_masks.size()),
            static_cast<std::uint32_t>(pair_masks.size()),
            static_cast<std::uint32_t>(entries.size())};
  }

  std::vector<BaseMask> base_masks;  // by column
  std::vector<PairMask> pair_masks;
  std::vector<FilterEntry> entries;
  std::vector<BaseSet> sets;  // the columns of all entries, one entry after another

 private:
  using BaseIds = std::map<std::pair<std::uint32_t, BaseSet>, std::uint16_t>;  // column and set to the mask's number

  void number_masks(std::uint32_t column, BaseIds& ids);
};

}  // namespace basesweep::planes
