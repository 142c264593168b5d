// Makes matchers with a Tuning (kernels/tuning.hpp), for tests and benchmarks.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lib/search/algorithm.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

class MatrixSet;              // lib/matrices/matrix_set.hpp
class PatternSet;             // lib/search/pattern_set.hpp
struct MatcherOptions;        // lib/search/make_matcher.hpp
struct MatrixMatcherOptions;  // lib/matrices/matrix_matcher.hpp
struct Tuning;                // kernels/tuning.hpp

// Why make_matcher() would refuse these patterns for a named algorithm, as the text of its Declined; nothing if it
// takes them.
std::optional<std::string> decline_reason(Algorithm algorithm, const PatternSet& patterns);

// Does what make_matcher(patterns, options) does. The tuning applies only to a named algorithm.
std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options, const Tuning& tuning);
std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options,
                                             const Tuning& tuning);

}  // namespace basesweep
