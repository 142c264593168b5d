// Two matchers as one.
#pragma once

#include <memory>

#include "lib/search/matcher.hpp"

namespace basesweep {

// A matcher that gives each batch to `first`, then to `second`, and merges what they find. Both must be for the same
// patterns, device and output, each for some of the queries.
std::unique_ptr<Matcher> compose(std::unique_ptr<Matcher> first, std::unique_ptr<Matcher> second);

}  // namespace basesweep
