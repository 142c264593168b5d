#include "kernels/matrices/lookup/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace basesweep::lookup {
namespace {

std::int32_t max_of(const std::array<std::int32_t, 4>& scores) {
  return *std::max_element(scores.begin(), scores.end());
}

unsigned sum_of(const Pair& pair) { return std::accumulate(pair.deficits, pair.deficits + kPairCodes, 0U); }

// `allowance`: the largest deficit of a hit.
Pair make_pair(const std::vector<std::array<std::int32_t, 4>>& scores, std::uint32_t offset, std::int64_t allowance) {
  static constexpr std::array<std::int32_t, 4> kNone{};
  const auto& first = scores[offset];
  const auto& second = offset + 1 < scores.size() ? scores[offset + 1] : kNone;
  const std::int64_t max = std::int64_t{max_of(first)} + max_of(second);
  Pair pair{};
  pair.offset = offset;
  for (unsigned code = 0; code < kPairCodes; ++code) {
    pair.scores[code] = first[code % 4] + second[code / 4];
    const std::int64_t steps = (max - pair.scores[code]) * kDead / (allowance + 1);
    pair.deficits[code] = static_cast<std::uint8_t>(std::min<std::int64_t>(steps, kDead));
  }
  return pair;
}

// Follows how many places of random text are left after each pair, in coarser steps, and returns the number of pairs
// after which a look at kGroup places costs the least.
std::uint32_t best_check(const Pair* pairs, std::uint32_t count) {
  constexpr double kGroup = 256;
  constexpr double kBranch = 10;  // of a branch that is predicted badly, in pairs
  constexpr unsigned kCoarse = 4;
  constexpr unsigned kStates = (kDead + 1) / kCoarse;
  std::array<double, kStates> share{};
  share[0] = 1;
  std::uint32_t best = count;
  double lowest = count;
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    std::array<double, kStates> next{};
    double alive = 0;
    for (const std::uint8_t deficit : pairs[i].deficits) {
      const unsigned step = deficit == kDead ? kStates : deficit / kCoarse;
      for (unsigned state = 0; state + step < kStates; ++state) next[state + step] += share[state] / kPairCodes;
    }
    for (const double p : next) alive += p;
    share = next;
    const double left = 1 - std::pow(1 - std::min(alive, 1.0), kGroup);
    const double cost = i + 1 + left * (count - i - 1) + kBranch * std::min(left, 1 - left);
    if (cost >= lowest) continue;
    lowest = cost;
    best = i + 1;
  }
  return best;
}

}  // namespace

Index::Index(const MatrixSet& matrices, const std::vector<std::uint32_t>& indices) {
  for (const std::uint32_t query : indices) {
    const SearchedMatrix& matrix = matrices.of_query(query);
    const auto& scores = matrices.scores(query);
    const std::size_t first = pairs.size();
    for (std::uint32_t offset = 0; offset < scores.size(); offset += 2) {
      pairs.push_back(make_pair(scores, offset, matrix.matrix.max_score - matrix.threshold));
    }
    std::stable_sort(pairs.begin() + static_cast<std::ptrdiff_t>(first), pairs.end(),
                     [](const Pair& a, const Pair& b) { return sum_of(a) > sum_of(b); });
    const auto count = static_cast<std::uint32_t>(pairs.size() - first);
    queries.push_back({query, static_cast<std::uint32_t>(first), count, best_check(pairs.data() + first, count),
                       static_cast<std::int32_t>(matrix.threshold)});
  }
}

}  // namespace basesweep::lookup
