#include "kernels/exact/planes/index.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace basesweep::planes {
namespace {

// A pair of neighbouring positions gets a mask of its own if at least this many queries use it; else each of them does
// the AND itself.
constexpr int kPairUses = 3;

// The masks of all four bases at a position are made at once if at least this many of them are used.
constexpr int kFourAtOnce = 3;

using PairKey = std::array<std::uint32_t, 3>;  // position of the first, its set, set of the next position

}  // namespace

// Numbers the masks of a position: first the single bases, all four together where most are used.
void Index::number_masks(std::uint32_t position, BaseIds& ids) {
  constexpr BaseSet kSingle[4] = {1, 2, 4, 8};
  const auto add = [&](BaseSet set) {
    base_masks.push_back({static_cast<std::uint8_t>(position), set});
    return static_cast<std::uint16_t>(base_masks.size() - 1);
  };
  const auto needed = std::count_if(std::begin(kSingle), std::end(kSingle), [&](BaseSet set) {
    return ids.count({position, set}) != 0;
  });
  if (needed >= kFourAtOnce) {
    for (const BaseSet set : kSingle) ids[{position, set}] = add(set == 1 ? kAllBases : set);
  }
  for (auto id = ids.lower_bound({position, 0}); id != ids.end() && id->first.first == position; ++id) {
    if (needed < kFourAtOnce || !is_single_base(id->first.second)) id->second = add(id->first.second);
  }
}

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& which) {
  const auto filter_positions = [&](std::uint32_t e) {
    return std::min<std::uint32_t>(kFilterPositions, static_cast<std::uint32_t>(patterns.queries()[e].sets.size()));
  };
  BaseIds base_ids;
  std::map<PairKey, int> pair_uses;
  for (const std::uint32_t e : which) {
    const std::span<const BaseSet> query_sets = patterns.queries()[e].sets;
    for (std::uint32_t c = 0; c < filter_positions(e); ++c) {
      if (query_sets[c] != kAnyBase || filter_positions(e) == 1) base_ids[{c, query_sets[c]}] = 0;
      if (c % 2 == 1 && query_sets[c - 1] != kAnyBase && query_sets[c] != kAnyBase) {
        ++pair_uses[{c - 1, query_sets[c - 1], query_sets[c]}];
      }
    }
    if (std::all_of(query_sets.begin(), query_sets.begin() + filter_positions(e),
                    [](BaseSet s) { return s == kAnyBase; })) {
      base_ids[{0, kAnyBase}] = 0;
    }
  }
  for (std::uint32_t position = 0; position < kFilterPositions; ++position) number_masks(position, base_ids);
  std::map<PairKey, std::uint16_t> pair_ids;
  for (const auto& [key, uses] : pair_uses) {
    if (uses < kPairUses) continue;
    pair_ids[key] = static_cast<std::uint16_t>(base_masks.size() + pair_masks.size());
    pair_masks.push_back(
        {base_ids[{key[0], static_cast<BaseSet>(key[1])}], base_ids[{key[0] + 1, static_cast<BaseSet>(key[2])}]});
  }
  for (const std::uint32_t e : which) {
    const std::span<const BaseSet> query_sets = patterns.queries()[e].sets;
    FilterQuery query{e, static_cast<std::uint32_t>(query_sets.size()), sets.size(), 0, {}};
    sets.insert(sets.end(), query_sets.begin(), query_sets.end());
    for (std::uint32_t c = 0; c < filter_positions(e); ++c) {
      if (c % 2 == 0 && c + 1 < filter_positions(e)) {
        if (const auto pair = pair_ids.find({c, query_sets[c], query_sets[c + 1]}); pair != pair_ids.end()) {
          query.masks[query.mask_count++] = pair->second;
          ++c;
          continue;
        }
      }
      if (query_sets[c] != kAnyBase) query.masks[query.mask_count++] = base_ids[{c, query_sets[c]}];
    }
    if (query.mask_count == 0) query.masks[query.mask_count++] = base_ids[{0, kAnyBase}];
    queries.push_back(query);
  }
}

}  // namespace basesweep::planes
