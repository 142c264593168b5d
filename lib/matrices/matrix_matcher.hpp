// Makes matchers for weight matrices. make_matrix_matcher() is defined in kernels/registry.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/isa.hpp"
#include "lib/matrices/matrix_set.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

enum class MatrixAlgorithm { automatic, lookup, filter };

const char* to_string(MatrixAlgorithm algorithm);
// All but `automatic`, in the order of the enum.
const std::vector<MatrixAlgorithm>& matrix_algorithms();

// The members that MatcherOptions has, too, mean what they mean there.
struct MatrixMatcherOptions {
  MatrixAlgorithm algorithm = MatrixAlgorithm::automatic;
  Device device = Device::cpu;
  std::vector<int> gpus{0};
  Output output = Output::occurrences;
  Isa isa = best_isa();
  std::optional<std::int64_t> expected_bases{};
  int threads = 1;
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

// A matcher for the queries of MatrixSet::patterns(). It finds starts as Matcher says: a position is an occurrence of a
// query when the bases from there on have at least the score that the matrix's threshold says, and none is blocked.
// `matrices` must outlive the matcher. Throws
// DeviceError when Device::gpu is chosen and a GPU is not usable.
std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options);

}  // namespace basesweep
