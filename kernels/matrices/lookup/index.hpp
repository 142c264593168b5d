// The index of `lookup`: for each query, tables of what pairs of bases cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/matrices/matrix_set.hpp"

namespace basesweep::lookup {

// A text base and the one behind it have a pair code: the first base's code, and four times the second one's.
inline constexpr unsigned kPairCodes = 16;

// The deficit of a word is how far its score is below the matrix's maximum. It is a hit if its deficit is at most
// max_score - threshold, the allowance. Deficits of pairs are rounded down to steps of which the allowance has less
// than 255, so a hit has a sum of at most 254, and bytes that saturate at kDead suffice to drop nearly all other
// places.
inline constexpr unsigned kDead = 255;

// Two neighbouring positions of a query, or its last one. The best at dropping comes first.
struct Pair {
  std::uint8_t deficits[kPairCodes];  // by pair code
  std::int32_t scores[kPairCodes];    // the same, exact
  std::uint32_t offset;               // of its first position in the query
  std::uint32_t spare[3];             // the next one is aligned to 16 bytes
};

struct LookupQuery {
  std::uint32_t query;       // index in the PatternSet
  std::uint32_t first_pair;  // in Index::pairs
  std::uint32_t pairs;
  std::uint32_t checked;   // after this many pairs, whether any place is left is looked at
  std::int32_t threshold;  // least score of a hit
};

// The index as plain pointers, for the scan.
struct IndexView {
  const LookupQuery* queries;
  const Pair* pairs;
  std::uint32_t query_count;
};

struct Index {
  Index(const MatrixSet& matrices, const std::vector<std::uint32_t>& queries);

  IndexView view() const { return {queries.data(), pairs.data(), static_cast<std::uint32_t>(queries.size())}; }

  std::vector<LookupQuery> queries;
  std::vector<Pair> pairs;
};

}  // namespace basesweep::lookup
