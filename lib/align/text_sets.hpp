// Text as sets of bases, the form that alignments compare.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "lib/base/dna.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

inline constexpr auto kBaseSets = [] {
  std::array<BaseSet, std::numeric_limits<unsigned char>::max() + 1> sets{};
  for (const char letter : {'A', 'C', 'G', 'T', 'U', 'a', 'c', 'g', 't', 'u'}) {
    sets[static_cast<unsigned char>(letter)] = iupac_set(letter);
  }
  return sets;
}();

// The set of a letter: one base for A, C, G, T and U in either case, otherwise 0, which matches nothing.
inline BaseSet base_set(char letter) { return kBaseSets[static_cast<unsigned char>(letter)]; }

// Sets `out` to the letters of positions [begin, end) of the batch; 0 for letters that are not A, C, G or T.
void read_sets(const PackedBatch& batch, std::uint32_t begin, std::uint32_t end, std::vector<BaseSet>& out);

}  // namespace basesweep
