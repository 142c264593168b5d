#include "lib/matrices/matrix_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"

namespace basesweep {
namespace {

// The least score that a hit has, where the tail is not needed to know it.
std::int64_t least_score(const ScoreMatrix& matrix, double score) {
  const double least = std::ceil(score);
  if (least > matrix.max_score) return std::int64_t{matrix.max_score} + 1;
  return std::max<std::int64_t>(static_cast<std::int64_t>(least), matrix.min_score);
}

std::int64_t least_score(const ScoreMatrix& matrix, const Threshold& threshold) {
  if (threshold.kind == Threshold::Kind::score) return least_score(matrix, threshold.value * kScoreSteps);
  return least_score(matrix, matrix.min_score + threshold.value * (double{1} * matrix.max_score - matrix.min_score));
}

SearchedMatrix from_score(ScoreMatrix matrix, std::int64_t threshold) {
  ScoreTail tail;
  if (threshold <= matrix.max_score) tail = ScoreTail(matrix, matrix.max_score - threshold);
  return {std::move(matrix), threshold, std::move(tail)};
}

PatternSet patterns_of(const std::vector<SearchedMatrix>& matrices, StrandChoice strands) {
  std::vector<Pattern> patterns;
  patterns.reserve(matrices.size());
  for (const SearchedMatrix& one : matrices) {
    patterns.push_back({one.matrix.id, std::string(one.matrix.width(), 'N'), one.matrix.file});
  }
  return {std::move(patterns), strands, PalindromeChoice::both};
}

std::vector<SearchedMatrix> searched(const std::vector<FileMatrix>& matrices, const MatrixSet::Options& options) {
  std::unordered_map<std::string, const FileMatrix*> known;
  for (const FileMatrix& matrix : matrices) {
    const auto [first, fresh] = known.try_emplace(matrix.id, &matrix);
    if (fresh) continue;
    throw DataError(fmt::format("{}: line {}: the matrix '{}' is in {} too, in line {}", matrix.file, matrix.line,
                                matrix.id, first->second->file, first->second->line));
  }
  std::vector<SearchedMatrix> all(matrices.size());
  parallel_for(options.threads, matrices.size(),
               [&](std::size_t i) { all[i] = with_threshold(matrices[i], options.scoring, options.threshold); });
  return all;
}

}  // namespace

SearchedMatrix with_threshold(const FileMatrix& matrix, const Scoring& scoring,
                              const std::optional<Threshold>& threshold) {
  if (!threshold && matrix.threshold) {
    ScoreMatrix scored = homer_score(matrix);
    const std::int64_t least = least_score(scored, *matrix.threshold / std::log(2.0) * kScoreSteps);
    return from_score(std::move(scored), least);
  }
  ScoreMatrix scored = score(matrix, scoring);
  const Threshold rule = threshold.value_or(Threshold());
  if (rule.kind != Threshold::Kind::p_value) {
    const std::int64_t least = least_score(scored, rule);
    return from_score(std::move(scored), least);
  }
  ScoreTail tail = tail_within(scored, rule.value);
  const std::int64_t least = scored.max_score - tail.max_deficit();  // one above the maximum for an empty tail
  return {std::move(scored), least, std::move(tail)};
}

MatrixSet::MatrixSet(const std::vector<FileMatrix>& matrices, const Options& options)
    : matrices_(searched(matrices, options)), patterns_(patterns_of(matrices_, options.strands)) {
  for (const Query& query : patterns_.queries()) {
    auto scores = matrices_[query.pattern].matrix.scores;
    if (query.strand == Strand::minus) {
      std::reverse(scores.begin(), scores.end());
      for (auto& column : scores) column = {column[2], column[3], column[0], column[1]};
    }
    scores_.push_back(std::move(scores));
  }
}

std::int32_t MatrixSet::score_of(std::uint32_t query, std::string_view letters) const {
  std::int32_t sum = 0;
  const auto& scores = scores_[query];
  for (std::size_t i = 0; i < scores.size(); ++i) sum += scores[i][base_code(letters[i])];
  return sum;
}

double MatrixSet::density() const {
  double sum = 0;
  for (const Query& query : patterns_.queries()) sum += matrices_[query.pattern].share();
  return sum;
}

}  // namespace basesweep
