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
  constexpr std::size_t kMostKeyColumns = 16;
  constexpr unsigned kMostSlotBits = 24;
  assert(!entries.empty());
  std::size_t shortest = kMostKeyColumns;
  for (const std::uint32_t e : entries) shortest = std::min(shortest, patterns.entries()[e].columns.size());
  key_columns = static_cast<std::uint32_t>(shortest);
  // About two slots an entry.
  const auto wanted = static_cast<unsigned>(std::bit_width(entries.size())) + 1;
  const unsigned bits = std::min({wanted, 2 * key_columns, kMostSlotBits});
  slot_shift = 32 - bits;

  std::vector<StartsItem> unordered;
  std::vector<std::uint32_t> slots;
  for (const std::uint32_t e : entries) {
    const std::size_t first_chunk = chunks.size();
    add_chunks(patterns.entries()[e], chunks);
    const Chunk first = chunks[first_chunk];
    slots.push_back(starts_slot(qgram(first.lo, first.hi, key_columns), slot_shift));
    unordered.push_back({first, e, static_cast<std::uint32_t>(first_chunk) + 1,
                         static_cast<std::uint32_t>(chunks.size() - first_chunk) - 1});
  }
  slot_begin.resize((std::size_t{1} << bits) + 1);
  for (const std::uint32_t slot : slots) ++slot_begin[slot + 1];
  for (std::size_t s = 1; s < slot_begin.size(); ++s) slot_begin[s] += slot_begin[s - 1];
  std::vector<std::uint32_t> next(slot_begin.begin(), slot_begin.end() - 1);
  items.resize(entries.size());
  for (std::size_t i = 0; i < unordered.size(); ++i) items[next[slots[i]]++] = unordered[i];
}

}  // namespace basesweep
