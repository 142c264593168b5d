// How a part of `pwm` stores its matrices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/matrices/file_matrix.hpp"
#include "lib/parts/part_set.hpp"

namespace basesweep {

// The sources of scores and thresholds besides the options.
struct MatrixSource {
  std::vector<FileMatrix> files;
  std::optional<PerBase> background;
};

// The matrices as they were read, and the options that scores and thresholds depend on, for a part.
std::string print_query(const MatrixSource& source);
// The same, taken from the parts. Throws DataError.
MatrixSource matrices_of(const PartSet& parts);

}  // namespace basesweep
