// Random weight matrices for tests, and the questions that they are for the oracle.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lib/matrices/matrix_set.hpp"
#include "lib/oracle/matrices.hpp"
#include "lib/oracle/trial/random.hpp"

namespace trial {

// A matrix of counts with the id "p" and its number. Now and then its own reverse complement.
basesweep::FileMatrix random_matrix(Random& random, std::size_t number, std::size_t width);

// Matrices, thresholds and strands of `set` as a question.
oracle::MatrixQuestion matrix_question(const basesweep::MatrixSet& set, std::vector<std::string> records,
                                       basesweep::StrandChoice strands, bool skip_soft_masked);

}  // namespace trial
