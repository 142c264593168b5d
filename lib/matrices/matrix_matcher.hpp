// Makes matchers for weight matrices. make_matrix_matcher() is defined in kernels/registry.
#pragma once

#include <memory>
#include <vector>

#include "lib/search/match_result.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/searcher_options.hpp"

namespace basesweep {

class MatrixSet;  // lib/matrices/matrix_set.hpp

enum class MatrixAlgorithm { automatic, lookup, filter };

const char* to_string(MatrixAlgorithm algorithm);
// All but `automatic`, in the order of the enum.
const std::vector<MatrixAlgorithm>& matrix_algorithms();

struct MatrixMatcherOptions : SearcherOptions {
  MatrixAlgorithm algorithm = MatrixAlgorithm::automatic;
  Output output = Output::occurrences;
};

// A matcher for the queries of MatrixSet::patterns(). It finds starts as Matcher says: a position is an occurrence of a
// query when the bases from there on have at least the score that the matrix's threshold says, and none is blocked.
// `matrices` must outlive the matcher. Throws DeviceError when Device::gpu is chosen and a GPU is not usable.
std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options);

}  // namespace basesweep
