#include "lib/matrices/score_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

ScoreMatrix without_scores(const FileMatrix& matrix, const PerBase& background) {
  return {.id = matrix.id,
          .name = matrix.name,
          .file = matrix.file,
          .format = matrix.format,
          .probabilities = matrix.probabilities,
          .background = background,
          .scores = {},
          .min_score = 0,
          .max_score = 0};
}

void add_column(const PerBase& probabilities, ScoreMatrix& to) {
  std::array<std::int32_t, 4> scores{};
  for (unsigned code = 0; code < 4; ++code) {
    const double bits = std::log2(probabilities[code] / to.background[code]);
    scores[code] = static_cast<std::int32_t>(std::lround(bits * kScoreSteps));
  }
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  to.min_score += *least;
  to.max_score += *most;
  to.scores.push_back(scores);
}

}  // namespace

const char* to_string(MatrixFormat format) {
  switch (format) {
    case MatrixFormat::jaspar: return "jaspar";
    case MatrixFormat::meme: return "meme";
    case MatrixFormat::homer: return "homer";
    case MatrixFormat::transfac: return "transfac";
    case MatrixFormat::cluster_buster: return "cluster-buster";
    case MatrixFormat::cis_bp: return "cis-bp";
  }
  return "";
}

std::string place_of(const FileMatrix& matrix) { return fmt::format("{}: matrix '{}'", matrix.file, matrix.id); }

PerBase both_strands(const PerBase& rates) {
  const double sum = rates[0] + rates[1] + rates[2] + rates[3];
  PerBase averaged;
  for (unsigned code = 0; code < 4; ++code) {
    averaged[code] =
        (std::min(rates[code], rates[complement(code)]) + std::max(rates[code], rates[complement(code)])) / (2 * sum);
  }
  return averaged;
}

ScoreMatrix score(const FileMatrix& matrix, const Scoring& scoring) {
  const PerBase background =
      both_strands(scoring.background ? *scoring.background : matrix.background.value_or(kUniform));
  for (const unsigned code : kFileOrder) {
    if (background[code] > 0) continue;
    throw DataError(fmt::format("{}: the background rate of {} is 0", place_of(matrix), base_letter(code)));
  }
  ScoreMatrix scored = without_scores(matrix, background);
  const double times = matrix.probabilities ? matrix.sites : 1;
  for (std::size_t i = 0; i < matrix.columns.size(); ++i) {
    const PerBase& column = matrix.columns[i];
    const double sum = times * (column[0] + column[1] + column[2] + column[3]) + scoring.pseudocount;
    PerBase probabilities;
    for (const unsigned code : kFileOrder) {
      probabilities[code] = (times * column[code] + scoring.pseudocount * background[code]) / sum;
      if (probabilities[code] > 0) continue;
      throw DataError(fmt::format("{}: position {}: the probability of {} is 0, which has no score: use --pseudocount",
                                  place_of(matrix), i + 1, base_letter(code)));
    }
    add_column(probabilities, scored);
  }
  return scored;
}

ScoreMatrix homer_score(const FileMatrix& matrix) {
  constexpr double kLeast = 0.001;
  ScoreMatrix scored = without_scores(matrix, kUniform);
  for (const PerBase& column : matrix.columns) {
    const double sum = matrix.probabilities ? 1 : column[0] + column[1] + column[2] + column[3];
    PerBase probabilities;
    for (unsigned code = 0; code < 4; ++code) probabilities[code] = std::max(column[code] / sum, kLeast);
    add_column(probabilities, scored);
  }
  return scored;
}

}  // namespace basesweep
