// Joins the outputs of all chunks to the output that one run would have written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/parts/part_file.hpp"
#include "lib/parts/run_origin.hpp"

namespace basesweep {

// `parts`: hits or counts, after check_parts(). Calls `write` with the bytes of the output. A chunk cannot know the
// other chunks' hits, so everything that depends on all hits happens here, by the parameters in the parts' labels:
// `--report best`, `--non-overlapping`, `--max-hits`, and the choice of the primary hit of a pattern. Returns the
// number of hits, of `map` that of alignments, of `pcr` that of products. `directory`: of temporary files. Throws
// IoError, and DataError for a part that is not complete.
std::uint64_t merge_hits(const std::vector<PartHead>& parts, const std::string& directory,
                         const std::function<void(std::string_view)>& write);

// `parts`: reports, after check_parts(). Adds up the numbers of the parts and returns the merged report, which names
// where it comes from and where its parts do. Throws DataError when hits were still to be chosen among all chunks, so
// that the numbers do not add up.
std::string merge_reports(const std::vector<PartHead>& parts, const RunOrigin& origin);

}  // namespace basesweep
