// The index of `pigeonhole`: a table of the grams (short exact words) that stand for the queries' seeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/approximate/verify.hpp"
#include "lib/search/match_block.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::pigeonhole {

inline constexpr std::uint32_t kMinSeed = 6;     // positions; shorter seeds are everywhere
inline constexpr std::uint32_t kMaxGram = 10;    // positions; the bitmap of all grams then fits a GPU's shared memory
inline constexpr std::uint32_t kMaxKeys = 4096;  // keys that a query's IUPAC codes may stand for
inline constexpr std::uint32_t kNoCheck = ~0U;

// A gram of a query, which stands for one of its seeds.
struct GramPlace {
  std::uint32_t slot;    // index of the query in Index::verify
  std::uint32_t offset;  // positions of the query in front of the gram
  std::uint32_t check;   // index of the check of the whole seed, or kNoCheck where the gram is the whole seed
  std::uint32_t before;  // positions of the seed in front of the gram
};

// The index as plain pointers, for scans and kernels. The key of a gram has the low code bits of its bases in its low
// `gram` bits, the first base lowest, and their high code bits above.
struct IndexView {
  const std::uint32_t* bitmap;  // a bit for each key: whether some query has the gram
  const std::uint32_t* starts;  // the places of a key: [starts[key], starts[key + 1])
  const GramPlace* places;
  const MatchBlock* checks;  // the first positions of seeds
  const VerifyQuery* queries;
  const EqBlock* blocks;
  const std::uint32_t* ids;  // indices of the queries in the PatternSet
  std::uint32_t query_count;
  std::uint32_t gram;  // positions
};

// Why a query cannot be taken, or nothing.
std::optional<std::string> unfit(const Query& query);

struct Index {
  // Indexes the given queries of the set; unfit() must be empty for each.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

  IndexView view() const {
    return {bitmap.data(),
            starts.data(),
            places.data(),
            checks.data(),
            verify.queries.data(),
            verify.blocks.data(),
            ids.data(),
            static_cast<std::uint32_t>(ids.size()),
            gram};
  }

  std::vector<std::uint32_t> ids;
  VerifyIndex verify;
  std::uint32_t gram;
  std::vector<std::uint32_t> bitmap;
  std::vector<std::uint32_t> starts;
  std::vector<GramPlace> places;
  std::vector<MatchBlock> checks;
};

}  // namespace basesweep::pigeonhole
