// The matrices of a run with their thresholds, and the queries that matchers search for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/matrices/score_matrix.hpp"
#include "lib/matrices/score_tail.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

// How good a hit must be.
struct Threshold {
  enum class Kind {
    p_value,   // the least score with a p-value of at most `value`
    score,     // at least `value` bits
    relative,  // at least min + value (max - min), of the matrix's scores
  };
  Kind kind = Kind::p_value;
  double value = 1e-4;
};

// A matrix with the score that a hit reaches.
struct SearchedMatrix {
  ScoreMatrix matrix;
  std::int64_t threshold;  // above max_score: no word reaches it
  ScoreTail tail;          // for the scores from the threshold to the maximum; empty if no word reaches it

  bool reachable() const { return threshold <= matrix.max_score; }
  // The p-value of a score, which must be at least the threshold.
  double p_value(std::int32_t score) const { return tail.at(matrix.max_score - score); }
  // The probability that a word of the background is a hit.
  double share() const { return reachable() ? tail.at(tail.max_deficit()) : 0; }
};

// Immutable.
class MatrixSet {
 public:
  struct Options {
    Scoring scoring{};
    // Nothing: HOMER's own thresholds for matrices that have one, a p-value of 1e-4 for the others.
    std::optional<Threshold> threshold{};
    StrandChoice strands = StrandChoice::both;
    int threads = 1;  // that compute p-values
  };
  // Throws DataError like score(), and for an id that is used twice.
  MatrixSet(const std::vector<FileMatrix>& matrices, const Options& options);

  const std::vector<SearchedMatrix>& matrices() const { return matrices_; }
  // The matrices as patterns: each has the matrix's id, and as many N as the matrix has positions. The queries of this
  // set are its queries; a matrix that is its own reverse complement has one for each strand, too.
  const PatternSet& patterns() const { return patterns_; }
  const SearchedMatrix& of_query(std::uint32_t query) const { return matrices_[patterns_.queries()[query].pattern]; }
  // The scores of a query as it reads on the forward text, by position and base code.
  const std::vector<std::array<std::int32_t, 4>>& scores(std::uint32_t query) const { return scores_[query]; }
  // The score of bases of the forward text, as many as the query has positions.
  std::int32_t score_of(std::uint32_t query, std::string_view letters) const;
  // Occurrences that are expected at a position of a text that is like the background.
  double density() const;

 private:
  std::vector<SearchedMatrix> matrices_;
  PatternSet patterns_;
  std::vector<std::vector<std::array<std::int32_t, 4>>> scores_;
};

// The matrix with scores and threshold, as a MatrixSet has it.
SearchedMatrix with_threshold(const FileMatrix& matrix, const Scoring& scoring,
                              const std::optional<Threshold>& threshold);

}  // namespace basesweep
