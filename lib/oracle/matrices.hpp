// Search for weight matrices as its definition says: the sum of the scores of every window, base by base.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"

namespace oracle {

// The scores of A, C, G and T at each position, as a hit on strand + reads, and the least score of a hit.
struct Matrix {
  std::vector<std::array<std::int64_t, 4>> scores;
  std::int64_t threshold;
};

struct MatrixQuestion {
  std::vector<std::string> records;  // as in Question
  std::vector<Matrix> matrices;
  Strands strands = Strands::both;
  bool skip_soft_masked = false;
};

// The score of a window of letters as it reads on the matrix's strand; a letter that is not A, C, G, T or U: none.
struct WindowScore {
  bool has_score = false;
  std::int64_t score = 0;
};
WindowScore score_of(const Matrix& matrix, const std::string& window);

// All hits, ordered by record, start, end, strand (+ first), matrix; Hit::pattern is the matrix's index.
std::vector<Hit> search(const MatrixQuestion& question);

}  // namespace oracle
