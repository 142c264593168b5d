#include "kernels/planes/index.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace basesweep::planes {
namespace {

// Entries that must need a pair before its mask is worth making once instead of an AND in each.
constexpr int kPairUses = 3;

// Single bases of a column that must be asked for before all four are made at once.
constexpr int kFourAtOnce = 3;

using PairKey = std::array<std::uint32_t, 3>;  // column of the first, its set, set of the next column

}  // namespace

// Gives the masks of a column their numbers: single bases first, together where most are needed.
void Index::number_masks(std::uint32_t column, BaseIds& ids) {
  constexpr BaseSet kSingle[4] = {1, 2, 4, 8};
  const auto add = [&](BaseSet set) {
    base_masks.push_back({static_cast<std::uint8_t>(column), set});
    return static_cast<std::uint16_t>(base_masks.size() - 1);
  };
  const auto needed = std::count_if(std::begin(kSingle), std::end(kSingle), [&](BaseSet set) {
    return ids.count({column, set}) != 0;
  });
  if (needed >= kFourAtOnce) {
    for (const BaseSet set : kSingle) ids[{column, set}] = add(set == 1 ? kAllBases : set);
  }
  for (auto id = ids.lower_bound({column, 0}); id != ids.end() && id->first.first == column; ++id) {
    if (needed < kFourAtOnce || !is_single_base(id->first.second)) id->second = add(id->first.second);
  }
}

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& which) {
  const auto filter_columns = [&](std::uint32_t e) {
    return std::min<std::uint32_t>(kFilterColumns, static_cast<std::uint32_t>(patterns.entries()[e].columns.size()));
  };
  BaseIds base_ids;
  std::map<PairKey, int> pair_uses;
  for (const std::uint32_t e : which) {
    const std::vector<BaseSet>& columns = patterns.entries()[e].columns;
    for (std::uint32_t c = 0; c < filter_columns(e); ++c) {
      if (columns[c] != kAnyBase || filter_columns(e) == 1) base_ids[{c, columns[c]}] = 0;
      if (c % 2 == 1 && columns[c - 1] != kAnyBase && columns[c] != kAnyBase) {
        ++pair_uses[{c - 1, columns[c - 1], columns[c]}];
      }
    }
    if (std::all_of(columns.begin(), columns.begin() + filter_columns(e), [](BaseSet s) { return s == kAnyBase; })) {
      base_ids[{0, kAnyBase}] = 0;
    }
  }
  for (std::uint32_t column = 0; column < kFilterColumns; ++column) number_masks(column, base_ids);
  std::map<PairKey, std::uint16_t> pair_ids;
  for (const auto& [key, uses] : pair_uses) {
    if (uses < kPairUses) continue;
    pair_ids[key] = static_cast<std::uint16_t>(base_masks.size() + pair_masks.size());
    pair_masks.push_back(
        {base_ids[{key[0], static_cast<BaseSet>(key[1])}], base_ids[{key[0] + 1, static_cast<BaseSet>(key[2])}]});
  }
  for (const std::uint32_t e : which) {
    const std::vector<BaseSet>& columns = patterns.entries()[e].columns;
    FilterEntry entry{e, static_cast<std::uint32_t>(columns.size()), sets.size(), 0, {}};
    sets.insert(sets.end(), columns.begin(), columns.end());
    for (std::uint32_t c = 0; c < filter_columns(e); ++c) {
      if (c % 2 == 0 && c + 1 < filter_columns(e)) {
        if (const auto pair = pair_ids.find({c, columns[c], columns[c + 1]}); pair != pair_ids.end()) {
          entry.masks[entry.mask_count++] = pair->second;
          ++c;
          continue;
        }
      }
      if (columns[c] != kAnyBase) entry.masks[entry.mask_count++] = base_ids[{c, columns[c]}];
    }
    if (entry.mask_count == 0) entry.masks[entry.mask_count++] = base_ids[{0, kAnyBase}];
    entries.push_back(entry);
  }
}

}  // namespace basesweep::planes
