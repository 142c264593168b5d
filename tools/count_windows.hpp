// Where the guides of `count` may begin in the reads of each file.
#pragma once

#include <vector>

#include "lib/counting/library.hpp"
#include "lib/reader/raw_block.hpp"
#include "lib/report/guide_tables.hpp"
#include "lib/structure/read_layout.hpp"
#include "tools/count_options.hpp"

namespace basesweep {

// The windows that the options give, else those of the first reads of each file that can be read twice; of others, only
// `first_block` is known, which is of the first file, or null. `interleaved`: mates come by turns in a file. `layout`:
// guides are in the inserts of reads; null: anywhere in them. Throws IoError and DataError.
std::vector<InputStarts> find_windows(const CountOptions& options, const GuideLibrary& library, bool interleaved,
                                      const ReadLayout* layout, const RawBlock* first_block);

}  // namespace basesweep
