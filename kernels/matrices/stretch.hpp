// The stretch of a query that a table of q-grams looks at, and how well it separates hits from other places.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lib/matrices/matrix_set.hpp"

namespace basesweep {

// Scores by position and base code, see MatrixSet::scores().
using QueryScores = std::vector<std::array<std::int32_t, 4>>;

// Positions [lead, lead + length) of a query.
struct Stretch {
  std::uint32_t lead;
  std::uint32_t length;
};

// Returns the `q` positions on which a random word loses the most score, or the whole query if it is shorter.
Stretch sharpest_stretch(const QueryScores& scores, std::uint32_t q);

// The share of random words of the stretch whose deficit is within the allowance: the rest of the window may still make
// a hit of them. Deficits are rounded down to 1/256 of the allowance, so the share is rather too great than too small.
double share_within(const QueryScores& scores, Stretch stretch, std::int64_t allowance);

// The largest deficit of a hit.
std::int64_t allowance_of(const SearchedMatrix& matrix);

}  // namespace basesweep
