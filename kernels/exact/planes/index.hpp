// The index of `planes`: the masks that the queries share, and each query as a list of masks.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lib/search/pattern_set.hpp"

namespace basesweep::planes {

// The filter looks at this many positions of a pattern before the others are tried one by one.
inline constexpr std::uint32_t kFilterPositions = 8;

// Stands for a set in BaseMask::set: this mask and the next three are those of A, C, T and G, made together without a
// switch.
inline constexpr BaseSet kAllBases = 16;

// The filter works on masks of 1,024 text positions. Bit i of a base mask is set if the base at i + `position` is in
// `set`; a pair mask is the AND of two base masks that several queries use together.
struct BaseMask {
  std::uint8_t position;
  BaseSet set;
};

struct PairMask {
  std::uint16_t first, second;  // indices of base masks
};

struct FilterQuery {
  std::uint32_t query;  // index in the PatternSet
  std::uint32_t length;
  std::size_t first_set;  // index of its first position in Index::sets
  std::uint16_t mask_count;
  std::uint16_t masks[kFilterPositions];  // base masks first, then pair masks, in one numbering
};

// The index as plain pointers, for the scan.
struct IndexView {
  const BaseMask* base_masks;
  const PairMask* pair_masks;
  const FilterQuery* queries;
  const BaseSet* sets;
  std::uint32_t base_mask_count, pair_mask_count, query_count;
};

struct Index {
  // Indexes the given queries of the set.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  IndexView view() const {
    return {base_masks.data(),
            pair_masks.data(),
            queries.data(),
            sets.data(),
            static_cast<std::uint32_t>(base_masks.size()),
            static_cast<std::uint32_t>(pair_masks.size()),
            static_cast<std::uint32_t>(queries.size())};
  }

  std::vector<BaseMask> base_masks;  // by position
  std::vector<PairMask> pair_masks;
  std::vector<FilterQuery> queries;
  std::vector<BaseSet> sets;  // the sets of all queries' positions, one query after another

 private:
  using BaseIds = std::map<std::pair<std::uint32_t, BaseSet>, std::uint16_t>;  // position and set -> number of the mask

  void number_masks(std::uint32_t position, BaseIds& ids);
};

}  // namespace basesweep::planes
