// Joins outputs of chunks to what one run would have written.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "lib/merge/part_file.hpp"

namespace basesweep {

// `parts`: checked, of hits or counts. What only the whole can tell is done here, as the parts' parameters have it:
// lowest edits of each pattern, hits that overlap kept ones, the most hits, which hit of a pattern is primary. Throws
// IoError and DataError.
void merge_hits(const std::vector<PartHead>& parts, const std::function<void(std::string_view)>& write);

// `parts`: checked, reports. Sums what can be summed. Throws DataError where hits were yet to be chosen among, so that
// the parts' numbers are not those of the whole.
std::string merge_reports(const std::vector<PartHead>& parts);

}  // namespace basesweep
