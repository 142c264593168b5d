// What `sog` prepares from the patterns: the table V of the superimposed entries' q-grams.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/starts.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::sog {

// Columns of a q-gram, at most: V then has 64 KB, which fits a GPU's shared memory.
inline constexpr std::uint32_t kMostGram = 8;
// Places of q-grams that are looked at, at most: the bits of a cell.
inline constexpr std::uint32_t kMostPlaces = 8;

struct IndexView {
  const std::uint8_t* V;  // by q-gram: bit i is 0 where some entry has it at column i; bits from `places` on are 0
  StartsView starts;
  std::uint32_t gram;    // columns of a q-gram
  std::uint32_t places;  // columns that an entry's q-grams are taken from, the first ones
};

struct Index {
  // Takes the given entries of the set, at least one; none may have IUPAC codes. `gram`: columns of a q-gram, but no
  // more than the shortest entry has and no more than kMostGram; 0: that many.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, std::uint32_t gram);

  IndexView view() const { return {V.data(), starts.view(), gram, places}; }

  std::vector<std::uint8_t> V;
  Starts starts;
  std::uint32_t gram = 1;
  std::uint32_t places = 1;
};

}  // namespace basesweep::sog
