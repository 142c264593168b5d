#include "kernels/matrices/stretch.hpp"

#include <algorithm>

namespace basesweep {
namespace {

std::int32_t max_of(const std::array<std::int32_t, 4>& scores) {
  return *std::max_element(scores.begin(), scores.end());
}

// Four times the expected loss of a random base at a position.
std::int64_t loss(const std::array<std::int32_t, 4>& scores) {
  std::int64_t sum = 0;
  for (const std::int32_t score : scores) sum += max_of(scores) - score;
  return sum;
}

}  // namespace

Stretch sharpest_stretch(const QueryScores& scores, std::uint32_t q) {
  const auto width = static_cast<std::uint32_t>(scores.size());
  if (width <= q) return {0, width};
  std::int64_t now = 0;
  for (std::uint32_t i = 0; i < q; ++i) now += loss(scores[i]);
  std::int64_t most = now;
  std::uint32_t lead = 0;
  for (std::uint32_t begin = 1; begin + q <= width; ++begin) {
    now += loss(scores[begin + q - 1]) - loss(scores[begin - 1]);
    if (now <= most) continue;
    most = now;
    lead = begin;
  }
  return {lead, q};
}

double share_within(const QueryScores& scores, Stretch stretch, std::int64_t allowance) {
  constexpr std::int64_t kSteps = 256;
  std::array<double, kSteps> share{};
  share[0] = 1;
  for (std::uint32_t i = stretch.lead; i < stretch.lead + stretch.length; ++i) {
    std::array<double, kSteps> next{};
    for (const std::int32_t score : scores[i]) {
      const std::int64_t step = (max_of(scores[i]) - std::int64_t{score}) * kSteps / (allowance + 1);
      for (std::int64_t s = 0; s + step < kSteps; ++s) next[s + step] += share[s] / 4;
    }
    share = next;
  }
  double sum = 0;
  for (const double part : share) sum += part;
  return sum;
}

std::int64_t allowance_of(const SearchedMatrix& matrix) { return matrix.matrix.max_score - matrix.threshold; }

}  // namespace basesweep
