// The report of a run whose chunks were merged.
#pragma once

#include <string>
#include <vector>

namespace basesweep {

// A report of a chunk, as its part holds it.
struct ChunkReport {
  std::string path;   // of the part
  std::string chunk;  // "1/4"
  std::string report;
  bool read_all = false;  // each chunk read all of the inputs
};

// `whole`: the report that `merge` would write if it had done the whole run. In it the numbers of the inputs become the
// sums of those in the chunks, unless each read all; the reports also say on which machines the run ran and for how
// long. Throws DataError for reports that basesweep did not write.
std::string merge_reports(const std::string& whole, const std::vector<ChunkReport>& chunks);

}  // namespace basesweep
