#include "lib/oracle/trial/matrices.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/base/dna.hpp"

namespace trial {

using namespace basesweep;

FileMatrix random_matrix(Random& random, std::size_t number, std::size_t width) {
  FileMatrix matrix;
  matrix.id = fmt::format("p{}", number);
  matrix.file = "random";
  const bool sharp = random.chance(50);
  const bool palindrome = random.chance(10);
  for (std::size_t i = 0; i < width; ++i) {
    PerBase column{};
    for (double& count : column) count = random.chance(sharp ? 80 : 20) ? 0 : static_cast<double>(random.below(40));
    column[random.below(4)] += 1;
    if (palindrome && i >= (width + 1) / 2) {
      const PerBase& other = matrix.columns[width - 1 - i];
      column = {other[2], other[3], other[0], other[1]};
    }
    matrix.columns.push_back(column);
  }
  return matrix;
}

oracle::MatrixQuestion matrix_question(const MatrixSet& set, std::vector<std::string> records, StrandChoice strands,
                                       bool skip_soft_masked) {
  oracle::MatrixQuestion question;
  question.records = std::move(records);
  for (const SearchedMatrix& one : set.matrices()) {
    oracle::Matrix& matrix = question.matrices.emplace_back();
    matrix.threshold = one.threshold;
    for (const auto& column : one.matrix.scores) {
      matrix.scores.push_back(
          {column[base_code('A')], column[base_code('C')], column[base_code('G')], column[base_code('T')]});
    }
  }
  question.strands = strands == StrandChoice::both   ? oracle::Strands::both
                     : strands == StrandChoice::plus ? oracle::Strands::plus
                                                     : oracle::Strands::minus;
  question.skip_soft_masked = skip_soft_masked;
  return question;
}

}  // namespace trial
