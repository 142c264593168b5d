#include "kernels/matrices/lookup/product.hpp"

#include <algorithm>

#include "kernels/matrices/lookup/index.hpp"
#include "kernels/matrices/stretch.hpp"

namespace basesweep::lookup {
namespace {

constexpr std::uint32_t kLanes = 32;

std::uint32_t steps_of(std::size_t width) {
  return static_cast<std::uint32_t>((width + kStepPositions - 1) / kStepPositions);
}

// The deficits of the four bases at a position, in bytes by base code; 0 behind the query's end.
std::uint32_t deficits(const QueryScores& scores, std::int64_t allowance, std::uint32_t position) {
  if (position >= scores.size()) return 0;
  const std::array<std::int32_t, 4>& column = scores[position];
  const std::int64_t max = *std::max_element(column.begin(), column.end());
  std::uint32_t bytes = 0;
  for (unsigned code = 0; code < 4; ++code) {
    const std::int64_t steps = (max - column[code]) * kDead / (allowance + 1);
    bytes |= static_cast<std::uint32_t>(std::min<std::int64_t>(steps, kDead)) << (8 * code);
  }
  return bytes;
}

}  // namespace

ProductIndex::ProductIndex(const MatrixSet& matrices, const std::vector<std::uint32_t>& indices) {
  constexpr std::uint32_t kAllDead = 0xFFFFFFFF;
  for (std::uint32_t steps = 1; steps <= kMaxProductSteps; ++steps) {
    const auto first = static_cast<std::uint32_t>(queries.size() / kProductQueries);
    ProductClass own{steps, first, 0, bytes.size()};
    for (const std::uint32_t query : indices) {
      const QueryScores& scores = matrices.scores(query);
      if (steps_of(scores.size()) != steps) continue;
      queries.push_back({query, static_cast<std::uint32_t>(scores.size()), static_cast<std::uint32_t>(columns.size()),
                         static_cast<std::int32_t>(matrices.of_query(query).threshold)});
      columns.insert(columns.end(), scores.begin(), scores.end());
    }
    while (queries.size() % kProductQueries != 0) queries.push_back({kNoProductQuery, 0, 0, 0});
    own.count = static_cast<std::uint32_t>(queries.size() / kProductQueries) - first;
    if (own.count == 0) continue;
    classes.push_back(own);
    for (std::uint32_t product = first; product < first + own.count; ++product) {
      for (std::uint32_t step = 0; step < steps; ++step) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
          const std::uint32_t query = queries[product * kProductQueries + lane / 4].query;
          if (query == kNoProductQuery) {
            bytes.push_back({kAllDead, kAllDead});
            continue;
          }
          const std::int64_t allowance = allowance_of(matrices.of_query(query));
          const std::uint32_t position = step * kStepPositions + lane % 4;
          bytes.push_back({deficits(matrices.scores(query), allowance, position),
                           deficits(matrices.scores(query), allowance, position + 4)});
        }
      }
    }
  }
}

}  // namespace basesweep::lookup
