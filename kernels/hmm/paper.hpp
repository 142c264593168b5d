// The paper's own experiment: one pattern, one text, its cost. Man, Nakano, Ito 2013, sections V and VI.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/dna.hpp"

namespace basesweep::hmm {

struct PaperText {
  std::vector<std::uint64_t> lo, hi;  // planes, see PackedView; kPlanePadWords words past the last column are there
  std::uint32_t columns;
};

struct PaperResult {
  double seconds;          // the kernel alone, median of the runs after warm-up
  std::uint32_t distance;  // ASM(X, Y): the least d[m][j] over all columns j
};

// Computes ASM(pattern, text) with the text cut into `pieces` (the paper's D) that overlap by twice the pattern's
// length. A block takes two pieces, one in each half of its registers. The pattern has at most kMostRows columns.
// Throws DeviceError.
PaperResult run_paper(const std::vector<BaseSet>& pattern, const PaperText& text, std::uint32_t pieces, int gpu,
                      int runs);

}  // namespace basesweep::hmm
