#include "kernels/starts.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace basesweep {

void add_chunks(const Entry& entry, std::vector<Chunk>& chunks) {
  const std::vector<BaseSet>& columns = entry.columns;
  for (std::size_t begin = 0; begin < columns.size(); begin += kChunkColumns) {
    Chunk chunk{};
    for (std::uint32_t i = 0; i < kChunkColumns && begin + i < columns.size(); ++i) {
      const unsigned code = single_base(columns[begin + i]);
      chunk.lo |= (code & 1) << i;
      chunk.hi |= (code >> 1) << i;
      chunk.mask |= 1U << i;
    }
    chunks.push_back(chunk);
  }
}

Starts::Starts(const PatternSet& patterns, const std::vector<std::uint32_t>& entries) {
  constexpr std::uint32_t kMostKeyColumns = 16;
  constexpr unsigned kLeastSlotBits = 16;
  constexpr unsigned kMostSlotBits = 26;
  constexpr std::uint32_t kGolden = 0x9E3779B1;  // Fibonacci hashing: Knuth, volume 3, section 6.4
  assert(!entries.empty());
  const auto length = [&patterns](std::uint32_t e) {
    return static_cast<std::uint32_t>(patterns.entries()[e].columns.size());
  };
  shortest = length(entries.front());
  for (const std::uint32_t e : entries) shortest = std::min(shortest, length(e));
  key_columns = std::min(shortest, kMostKeyColumns);
  // One for each q-gram while that takes no more than 16 KB, else 8 to 16 an entry.
  const auto wanted =
      std::clamp(static_cast<unsigned>(std::bit_width(entries.size())) + 3, kLeastSlotBits, kMostSlotBits);
  const unsigned bits = std::min(wanted, 2 * key_columns);
  multiplier = bits == 2 * key_columns ? 1 : kGolden;
  shift = bits == 2 * key_columns ? 0 : 32 - bits;

  struct Placed {
    std::uint32_t slot;
    StartsItem item;
  };
  std::vector<Placed> placed;
  for (const std::uint32_t e : entries) {
    const std::size_t first_chunk = chunks.size();
    add_chunks(patterns.entries()[e], chunks);
    const Chunk first = chunks[first_chunk];
    const std::uint32_t slot = (qgram(first.lo, first.hi, key_columns) * multiplier) >> shift;
    placed.push_back({slot,
                      {first, e, static_cast<std::uint32_t>(first_chunk) + 1,
                       static_cast<std::uint32_t>(chunks.size() - first_chunk) - 1}});
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.slot < b.slot; });
  slots.resize((std::size_t{1} << bits) / 32 + 1);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i == 0 || placed[i].slot != placed[i - 1].slot) {
      slots[placed[i].slot / 32].used |= 1U << placed[i].slot % 32;
      item_begin.push_back(static_cast<std::uint32_t>(i));
    }
    items.push_back(placed[i].item);
  }
  item_begin.push_back(static_cast<std::uint32_t>(placed.size()));
  for (std::size_t s = 1; s < slots.size(); ++s) {
    slots[s].before = slots[s - 1].before + count_ones(slots[s - 1].used);
  }
}

}  // namespace basesweep
