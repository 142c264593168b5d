// Text as alignments look at it.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/dna.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep {

// The set of A, C, G, T and U in either case, 0 for all else.
BaseSet base_set(char letter);

// The letters of columns [begin, end) as sets, 0 for what is not A, C, G, T.
void read_sets(const PackedBatch& batch, std::uint32_t begin, std::uint32_t end, std::vector<BaseSet>& out);

}  // namespace basesweep
