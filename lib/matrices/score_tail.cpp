#include "lib/matrices/score_tail.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace basesweep {

ScoreTail::ScoreTail(const ScoreMatrix& matrix, std::int64_t max_deficit) {
  const auto size = static_cast<std::size_t>(max_deficit) + 1;
  std::vector<double> now(size);
  std::vector<double> next(size);
  now[0] = 1;
  std::size_t reached = 1;  // deficits from here on have probability 0
  for (const std::array<std::int32_t, 4>& scores : matrix.scores) {
    const std::int32_t most = *std::max_element(scores.begin(), scores.end());
    const std::int32_t least = *std::min_element(scores.begin(), scores.end());
    const std::size_t reach = std::min(size, reached + static_cast<std::size_t>(most - least));
    std::fill_n(next.begin(), reach, 0.0);
    for (const unsigned code : kFileOrder) {
      const auto deficit = static_cast<std::size_t>(most - scores[code]);
      if (deficit >= size) continue;
      const double rate = matrix.background[code];
      const std::size_t count = std::min(reached, size - deficit);
      double* const to = next.data() + deficit;
      for (std::size_t i = 0; i < count; ++i) to[i] += rate * now[i];
    }
    reached = reach;
    now.swap(next);
  }
  std::fill(now.begin() + static_cast<std::ptrdiff_t>(reached), now.end(), 0.0);
  double sum = 0;
  words_.reserve(size);
  for (double& p : now) {
    words_.push_back(p > 0);
    sum += p;
    p = std::min(sum, 1.0);
  }
  tail_ = std::move(now);
}

std::int64_t ScoreTail::last_within(double p) const {
  const auto end = std::upper_bound(tail_.begin(), tail_.end(), p);
  if (end == tail_.begin()) return -1;
  std::int64_t last = end - tail_.begin() - 1;
  while (!has_word(last)) --last;
  return last;
}

void ScoreTail::shorten(std::int64_t max_deficit) {
  tail_.resize(static_cast<std::size_t>(max_deficit) + 1);
  tail_.shrink_to_fit();
  words_.resize(tail_.size());
  words_.shrink_to_fit();
}

namespace {

// About the deficit whose p-value is `p`, as if scores were normally distributed.
std::int64_t likely_deficit(const ScoreMatrix& matrix, double p) {
  double mean = 0;
  double variance = 0;
  for (const std::array<std::int32_t, 4>& scores : matrix.scores) {
    double own_mean = 0;
    double own_square = 0;
    for (unsigned code = 0; code < 4; ++code) {
      own_mean += matrix.background[code] * scores[code];
      own_square += matrix.background[code] * scores[code] * double{1} * scores[code];
    }
    mean += own_mean;
    variance += own_square - own_mean * own_mean;
  }
  const double deviations = std::sqrt(-2 * std::log(std::max(p, 1e-300))) - 0.6;  // close enough from 0.01 to 1e-10
  return static_cast<std::int64_t>(matrix.max_score - mean - deviations * std::sqrt(std::max(variance, 0.0)));
}

}  // namespace

ScoreTail tail_within(const ScoreMatrix& matrix, double p) {
  const std::int64_t range = std::int64_t{matrix.max_score} - matrix.min_score;
  constexpr std::int64_t kLeast = 1 << 10;
  ScoreTail tail;
  for (std::int64_t deficits = p >= 1 ? range : std::min(std::max(kLeast, likely_deficit(matrix, p)), range);;
       deficits = std::min(deficits + deficits / 2, range)) {
    tail = ScoreTail(matrix, deficits);
    if (deficits == range || tail.at(deficits) > p) break;
  }
  const std::int64_t last = p >= 1 ? range : tail.last_within(p);
  tail.shorten(last);
  return tail;
}

}  // namespace basesweep
