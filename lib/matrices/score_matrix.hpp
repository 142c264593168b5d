// From the columns of a file to integer scores.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/matrices/file_matrix.hpp"

namespace basesweep {

// Steps of a score in a bit: all scores are whole numbers of 1 / 1,024 bit.
inline constexpr double kScoreSteps = 1024;

inline constexpr PerBase kUniform{0.25, 0.25, 0.25, 0.25};

// How probabilities become scores.
struct Scoring {
  double pseudocount = 0.1;             // added to each column, shared out by the background; 0 or more
  std::optional<PerBase> background{};  // rates of the bases; nothing: the file's, else uniform
};

// A matrix on strand +. Immutable.
struct ScoreMatrix {
  std::string id;
  std::string name;
  std::string file;
  MatrixFormat format;
  bool probabilities;                               // the file's values are probabilities
  PerBase background;                               // the rates used for scores and p-values; the same on both strands
  std::vector<std::array<std::int32_t, 4>> scores;  // of each position, by base code
  std::int32_t min_score;                           // of any word
  std::int32_t max_score;

  std::uint32_t width() const { return static_cast<std::uint32_t>(scores.size()); }
};

// The rates averaged over both strands, A with T and C with G, and scaled so that they sum to 1: a score then has one
// p-value on either strand.
PerBase both_strands(const PerBase& rates);

// The score of a base is log2(p / background) x 1,024, rounded half away from zero, where p = (count + c x background)
// / (sum of the column + c) and c is the pseudocount. Probabilities are first multiplied by the matrix's sites. Throws
// DataError, which names the matrix and the column, where p or a background rate is 0.
ScoreMatrix score(const FileMatrix& matrix, const Scoring& scoring);

// The scores that HOMER compares its own thresholds with: no pseudocount, 0.001 for smaller probabilities,
// uniform background. Counts are divided by the sum of their column.
ScoreMatrix homer_score(const FileMatrix& matrix);

// The place of a matrix in its file, as messages start with it: "a.jaspar: matrix 'MA0004.1'".
std::string place_of(const FileMatrix& matrix);

}  // namespace basesweep
