#include "kernels/reads/read_order.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/reads/seeds/choices.hpp"
#include "kernels/reads/seeds/cuda.cuh"

namespace basesweep::cuda {

ReadOrder order_queries(const ReadQueryView& reads, std::uint32_t begin, std::uint32_t end, std::uint32_t positions,
                        Candidates candidates) {
  constexpr std::uint32_t kLengths = kMaxReadLength + 1;
  std::vector<std::uint16_t> kinds(end - begin);
  std::array<std::uint32_t, 2 * kLengths + 1> places{};  // where the queries of each kind begin
  const ReadQuery* before = nullptr;
  bool swept = false;
  for (std::uint32_t e = begin; e < end; ++e) {
    const ReadQuery& query = reads.queries[e];
    if (query.length == 0) continue;
    if (before == nullptr || query.length != before->length || query.edits != before->edits) {
      swept = seeds::is_swept(query, positions, candidates);
      before = &query;
    }
    kinds[e - begin] = static_cast<std::uint16_t>(query.length + (swept ? kLengths : 0));
    ++places[kinds[e - begin] + 1U];
  }
  for (std::size_t kind = 1; kind < places.size(); ++kind) places[kind] += places[kind - 1];
  ReadOrder order;
  order.looked_up = places[kLengths];
  order.queries.resize(places.back());
  order.numbers.resize(places.back());
  for (std::uint32_t e = begin; e < end; ++e) {
    if (reads.queries[e].length == 0) continue;
    const std::uint32_t place = places[kinds[e - begin]]++;
    order.queries[place] = reads.queries[e];
    order.numbers[place] = e;
  }
  return order;
}

std::vector<WordsGroup> group_by_words(const ReadOrder& order, const std::vector<std::uint32_t>& places) {
  std::vector<WordsGroup> groups;
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const ReadQuery& query = order.queries[places[i]];
    if (groups.empty() || groups.back().words != query.words()) groups.push_back({query.words(), i, i, 0, 0, 0});
    WordsGroup& group = groups.back();
    group.end = i + 1;
    group.longest = std::max<std::uint32_t>(group.longest, query.length);
    group.max_edits = std::max<std::uint32_t>(group.max_edits, query.edits);
    group.stretch = std::max(group.stretch, 1U << seeds::stretch_bits(query));
  }
  return groups;
}

}  // namespace basesweep::cuda
