// How many reads without a barcode would be assigned to a sample.
#pragma once

#include <cstddef>

#include "lib/demux/barcode_caller.hpp"

namespace basesweep {

// Of `reads` random reads.
struct ChanceCalls {
  std::size_t reads = 0;
  std::size_t assigned = 0;

  double share() const { return static_cast<double>(assigned) / static_cast<double>(reads); }
  // Whether it is so few that a run need not care: 1 %, or a single read.
  bool few() const { return assigned <= 1 || 100 * assigned <= reads; }
};

// Calls random reads, or pairs, of `bases` bases a mate; of sheets with many barcodes fewer reads, since that takes
// longer. `barcodes`: of the sheet. They are the same reads in each run.
ChanceCalls call_random_reads(const BarcodeCaller& caller, bool paired, std::size_t bases, std::size_t barcodes);

}  // namespace basesweep
