// The second half of `map` for alignments that parts hold: format -> write.
#pragma once

#include <functional>
#include <string_view>

#include "lib/parts/part_set.hpp"
#include "lib/writer/alignment_rows.hpp"

namespace basesweep {

// Reads all parts and hands their records, in the order of the reads, to `write`, which is never called by two threads
// at once. Throws IoError and DataError, and what `write` throws.
void run_part_alignments(PartSet& parts, const AlignmentFormatter& formatter, int threads,
                         const std::function<void(std::string_view)>& write);

}  // namespace basesweep
