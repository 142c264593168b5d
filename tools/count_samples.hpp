// The samples of `count`: a name for each file of reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/count_options.hpp"

namespace basesweep {

struct CountSamples {
  std::vector<std::string> names;        // of the columns
  std::vector<std::uint32_t> of_inputs;  // the sample of each file, or pair of files
};

// The names that the options give, else those of the files without folders and endings; of pairs also without _1 or
// _R1_001. Throws UsageError unless there is a name for each file, and when names of two files would be the same.
CountSamples find_samples(const CountOptions& options);

}  // namespace basesweep
