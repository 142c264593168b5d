// Text as sets of bases, the form that alignments compare.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

// The set of a letter: one base for A, C, G, T and U in either case, otherwise 0, which matches nothing.
BaseSet base_set(char letter);

// Sets `out` to the letters of positions [begin, end) of the batch; 0 for letters that are not A, C, G or T.
void read_sets(const PackedBatch& batch, std::uint32_t begin, std::uint32_t end, std::vector<BaseSet>& out);

}  // namespace basesweep
