// Files of weight matrices in every format, and files of backgrounds.
#include <cmath>
#include <optional>

#include "lib/matrices/score_matrix.hpp"
#include "lib/reader/matrix_file.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basesweep;
  const fuzz::Choice choice(data, size);
  const fuzz::MemoryFile file(choice.rest);
  constexpr std::optional<MatrixFormat> kFormats[] = {
      std::nullopt,           MatrixFormat::jaspar,         MatrixFormat::meme,  MatrixFormat::homer,
      MatrixFormat::transfac, MatrixFormat::cluster_buster, MatrixFormat::cis_bp};
  fuzz::refuses([&] {
    for (const FileMatrix& matrix : read_matrices(file.path(), kFormats[choice.number % 7])) {
      fuzz::require(!matrix.id.empty(), "every matrix has an identifier");
      fuzz::require(!matrix.columns.empty() && matrix.columns.size() <= kMaxMatrixWidth,
                    "matrices have 1 to 64 positions");
      for (const PerBase& column : matrix.columns) {
        double sum = 0;
        for (const double number : column) {
          fuzz::require(number >= 0 && std::isfinite(number), "numbers are 0 or more");
          sum += number;
        }
        const double margin = matrix.format == MatrixFormat::homer ? 0.11 : 0.021;
        fuzz::require(matrix.probabilities ? std::abs(sum - 1) < margin : sum > 0, "columns have counts, or sum to 1");
      }
      fuzz::refuses([&] { score(matrix, {}); });
      if (matrix.threshold) homer_score(matrix);
    }
  });
  fuzz::refuses([&] {
    for (const double rate : read_background(file.path())) fuzz::require(rate > 0 && rate <= 1, "rates are above 0");
  });
  return 0;
}
