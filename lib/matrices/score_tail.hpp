// Exact p-values of integer scores.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/matrices/score_matrix.hpp"

namespace basesweep {

// The upper end of the distribution of a matrix's scores: for each deficit d, the probability that a word drawn from
// the background scores at least max_score - d. Exact for the integers; the sums are of doubles, in one fixed order.
// A dynamic programme over the positions, which keeps only partial sums that can still come within the deficits.
class ScoreTail {
 public:
  ScoreTail() = default;
  // For deficits 0 to `max_deficit`.
  ScoreTail(const ScoreMatrix& matrix, std::int64_t max_deficit);

  std::int64_t max_deficit() const { return static_cast<std::int64_t>(tail_.size()) - 1; }
  // The p-value of the score that is `deficit` below the matrix's maximum.
  double at(std::int64_t deficit) const { return tail_[static_cast<std::size_t>(deficit)]; }
  // Whether some word has this deficit.
  bool has_word(std::int64_t deficit) const { return words_[static_cast<std::size_t>(deficit)] != 0; }
  // The largest deficit that a word has and whose p-value is at most `p`; -1: there is none.
  std::int64_t last_within(double p) const;
  // Forgets larger deficits.
  void shorten(std::int64_t max_deficit);

 private:
  std::vector<double> tail_;
  std::vector<std::uint8_t> words_;  // 1: a word has this deficit
};

// The tail down to the least score that a word has and whose p-value is at most `p`; with no deficits where even the
// maximum has a larger one.
ScoreTail tail_within(const ScoreMatrix& matrix, double p);

}  // namespace basesweep
