#include "kernels/tables/starts.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "lib/search/pattern_set.hpp"

namespace basesweep {

void add_blocks(const Query& query, std::vector<PatternBlock>& pattern_blocks) {
  const std::span<const BaseSet> positions = query.sets;
  for (std::size_t begin = 0; begin < positions.size(); begin += kPatternBlockPositions) {
    PatternBlock block{};
    for (std::uint32_t i = 0; i < kPatternBlockPositions && begin + i < positions.size(); ++i) {
      const unsigned code = single_base(positions[begin + i]);
      block.lo |= (code & 1) << i;
      block.hi |= (code >> 1) << i;
      block.mask |= 1U << i;
    }
    pattern_blocks.push_back(block);
  }
}

Starts::Starts(const PatternSet& patterns, const std::vector<std::uint32_t>& queries) {
  constexpr std::uint32_t kMaxKeyPositions = 16;
  constexpr unsigned kMinSlotBits = 16;
  constexpr unsigned kMaxSlotBits = 26;
  constexpr std::uint32_t kGolden = 0x9E3779B1;  // Fibonacci hashing: Knuth, volume 3, section 6.4
  assert(!queries.empty());
  const auto length = [&patterns](std::uint32_t e) {
    return static_cast<std::uint32_t>(patterns.queries()[e].sets.size());
  };
  shortest = length(queries.front());
  for (const std::uint32_t e : queries) shortest = std::min(shortest, length(e));
  key_positions = std::min(shortest, kMaxKeyPositions);
  // One slot for each q-gram while that takes no more than 16 KB, else 8 to 16 slots per query.
  const auto wanted = std::clamp(static_cast<unsigned>(std::bit_width(queries.size())) + 3, kMinSlotBits, kMaxSlotBits);
  const unsigned bits = std::min(wanted, 2 * key_positions);
  multiplier = bits == 2 * key_positions ? 1 : kGolden;
  shift = bits == 2 * key_positions ? 0 : 32 - bits;

  std::vector<StartsItem> unsorted;
  std::vector<std::uint64_t> placed;  // slot, then index in `unsorted`
  unsorted.reserve(queries.size());
  placed.reserve(queries.size());
  for (const std::uint32_t e : queries) {
    const std::size_t first_block = pattern_blocks.size();
    add_blocks(patterns.queries()[e], pattern_blocks);
    const PatternBlock first = pattern_blocks[first_block];
    const std::uint32_t slot = (qgram(first.lo, first.hi, key_positions) * multiplier) >> shift;
    placed.push_back(std::uint64_t{slot} << 32 | unsorted.size());
    unsorted.push_back({first, e, static_cast<std::uint32_t>(first_block) + 1,
                        static_cast<std::uint32_t>(pattern_blocks.size() - first_block) - 1});
  }
  std::sort(placed.begin(), placed.end());
  slots.resize((std::size_t{1} << bits) / 32 + 1);
  items.reserve(placed.size());
  const auto slot_of = [&placed](std::size_t i) { return static_cast<std::uint32_t>(placed[i] >> 32); };
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i == 0 || slot_of(i) != slot_of(i - 1)) {
      slots[slot_of(i) / 32].used |= 1U << slot_of(i) % 32;
      item_begin.push_back(static_cast<std::uint32_t>(i));
    }
    items.push_back(unsorted[static_cast<std::uint32_t>(placed[i])]);
  }
  item_begin.push_back(static_cast<std::uint32_t>(placed.size()));
  for (std::size_t s = 1; s < slots.size(); ++s) {
    slots[s].before = slots[s - 1].before + count_ones(slots[s - 1].used);
  }
}

}  // namespace basesweep
