// The files that `demux` writes to its folder.
#pragma once

#include <string>
#include <vector>

#include "lib/demux/sample_sheet.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

// For each sample, and then for the reads of none if they are written: the name of the file, or of those of both mates.
using SampleFiles = std::vector<std::vector<std::string>>;

// Throws DataError if two of these files have one name: a sample `a_R1` of single reads would write to the file of the
// first mates of `a`.
void check_sample_files(const SampleSheet& sheet, const SampleFiles& files);

// The other files of a run.
struct OtherFiles {
  std::vector<std::string> read;
  WrittenFiles written;
};

// Throws UsageError for a file of the folder that the run reads, that another option writes to, or that is there and
// may not be replaced. The folder is there. `replace`: all may be replaced.
void check_folder(const std::string& folder, const SampleFiles& files, const OtherFiles& others, bool replace);

}  // namespace basesweep
