#include "lib/matrices/score_tail.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace basesweep {

namespace {

// Probabilities by deficit, before and after a position, with zeros in front of deficit 0 for words that cannot be.
class Deficits {
 public:
  Deficits(std::size_t size, std::size_t zeros) : zeros_(zeros), now_(zeros + size), next_(zeros + size) {
    now_[zeros] = 1;
  }

  // Goes on by a position whose letters have these deficits and rates; probabilities are wanted below deficit `end`.
  // Sums are made in the order of the letters.
  void add(const std::array<std::size_t, 4>& deficits, const std::array<double, 4>& rates, std::size_t end) {
    const double* const from = now_.data() + zeros_;
    const double* const a = from - deficits[0];
    const double* const b = from - deficits[1];
    const double* const c = from - deficits[2];
    const double* const d = from - deficits[3];
    double* const to = next_.data() + zeros_;
    for (std::size_t i = 0; i < end; ++i) to[i] = rates[0] * a[i] + rates[1] * b[i] + rates[2] * c[i] + rates[3] * d[i];
    now_.swap(next_);
  }

  // The probabilities, without the zeros.
  std::vector<double> take() {
    now_.erase(now_.begin(), now_.begin() + static_cast<std::ptrdiff_t>(zeros_));
    return std::move(now_);
  }

 private:
  std::size_t zeros_;
  std::vector<double> now_;  // 0 from the largest deficit of a word on
  std::vector<double> next_;
};

// How far scores of a position lie below the largest.
std::size_t spread(const std::array<std::int32_t, 4>& scores) {
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  return static_cast<std::size_t>(*most - *least);
}

}  // namespace

ScoreTail::ScoreTail(const ScoreMatrix& matrix, std::int64_t max_deficit) {
  const auto size = static_cast<std::size_t>(max_deficit) + 1;
  std::size_t widest = 0;
  for (const std::array<std::int32_t, 4>& scores : matrix.scores) widest = std::max(widest, spread(scores));
  Deficits deficits(size, std::min(size, widest));
  std::size_t reached = 1;  // deficits from here on have probability 0
  for (const std::array<std::int32_t, 4>& scores : matrix.scores) {
    const std::int32_t most = *std::max_element(scores.begin(), scores.end());
    reached = std::min(size, reached + spread(scores));
    std::array<std::size_t, 4> of_letters{};
    std::array<double, 4> rates{};
    for (std::size_t i = 0; i < of_letters.size(); ++i) {
      const unsigned code = kFileOrder[i];
      of_letters[i] = std::min(size, static_cast<std::size_t>(most - scores[code]));
      rates[i] = matrix.background[code];
    }
    deficits.add(of_letters, rates, reached);
  }
  tail_ = deficits.take();
  words_.resize(size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    words_[i] = tail_[i] > 0 ? 1 : 0;
    sum += tail_[i];
    tail_[i] = std::min(sum, 1.0);
  }
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
