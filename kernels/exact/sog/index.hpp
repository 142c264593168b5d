// The index of `sog`: the table V of the q-grams of the superimposed queries (Kouzinopoulos and others 2015, section
// 2.1.5).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/tables/starts.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::sog {

// The most positions of a q-gram. V then takes 64 KB, which fits a GPU's shared memory.
inline constexpr std::uint32_t kMaxGram = 8;
// The most places whose q-grams are looked at: the bits of a cell of V.
inline constexpr std::uint32_t kMaxPlaces = 8;

struct IndexView {
  const std::uint8_t* V;  // by q-gram: bit i is 0 if some query has it at position i; bits from `places` on are 0
  StartsView starts;
  std::uint32_t gram;    // positions of a q-gram
  std::uint32_t places;  // the q-grams of this many first positions of the queries are in V
};

struct Index {
  // Indexes the given queries of the set, at least one; none may have IUPAC codes. `gram`: positions of a q-gram, cut
  // to the shortest query and to kMaxGram; 0: as many as these allow.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, std::uint32_t gram);

  IndexView view() const { return {V.data(), starts.view(), gram, places}; }

  std::vector<std::uint8_t> V;
  Starts starts;
  std::uint32_t gram = 1;
  std::uint32_t places = 1;
};

}  // namespace basesweep::sog
