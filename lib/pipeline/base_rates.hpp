// The rates of the bases in an input.
#pragma once

#include "lib/matrices/file_matrix.hpp"
#include "lib/reader/block_source.hpp"

namespace basesweep {

// How often each base occurs in all of the input, by base code; other letters do not count. Faults in the text are left
// to the search that follows. Throws what the source throws.
PerBase count_bases(BlockSource& source, int threads);

}  // namespace basesweep
