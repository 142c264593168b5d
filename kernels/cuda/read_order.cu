#include "kernels/cuda/read_order.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/seeds/cuda.cuh"
#include "kernels/seeds/plan.hpp"

namespace basesweep::cuda {

ReadOrder order_entries(const ReadBatch& reads, std::uint32_t begin, std::uint32_t end, std::uint32_t columns,
                        Candidates candidates) {
  constexpr std::uint32_t kLengths = kMostReadLength + 1;
  std::vector<std::uint16_t> kinds(end - begin);
  std::array<std::uint32_t, 2 * kLengths + 1> places{};  // where the entries of each kind begin
  const SoughtEntry* before = nullptr;
  bool swept = false;
  for (std::uint32_t e = begin; e < end; ++e) {
    const SoughtEntry& entry = reads.entries[e];
    if (entry.length == 0) continue;
    if (before == nullptr || entry.length != before->length || entry.edits != before->edits) {
      swept = seeds::is_swept(entry, columns, candidates);
      before = &entry;
    }
    kinds[e - begin] = static_cast<std::uint16_t>(entry.length + (swept ? kLengths : 0));
    ++places[kinds[e - begin] + 1U];
  }
  for (std::size_t kind = 1; kind < places.size(); ++kind) places[kind] += places[kind - 1];
  ReadOrder order;
  order.looked_up = places[kLengths];
  order.entries.resize(places.back());
  order.numbers.resize(places.back());
  for (std::uint32_t e = begin; e < end; ++e) {
    if (reads.entries[e].length == 0) continue;
    const std::uint32_t place = places[kinds[e - begin]]++;
    order.entries[place] = reads.entries[e];
    order.numbers[place] = e;
  }
  return order;
}

std::vector<WordsGroup> group_by_words(const ReadOrder& order, const std::vector<std::uint32_t>& places) {
  std::vector<WordsGroup> groups;
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const SoughtEntry& entry = order.entries[places[i]];
    if (groups.empty() || groups.back().words != entry.words()) groups.push_back({entry.words(), i, i, 0, 0, 0});
    WordsGroup& group = groups.back();
    group.end = i + 1;
    group.longest = std::max<std::uint32_t>(group.longest, entry.length);
    group.most_edits = std::max<std::uint32_t>(group.most_edits, entry.edits);
    group.stretch = std::max(group.stretch, 1U << seeds::stretch_bits(entry));
  }
  return groups;
}

}  // namespace basesweep::cuda
