// The paper's own experiment, the cost of one pattern in one text: Man, Nakano, Ito 2013, sections V and VI.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/dna.hpp"

namespace basesweep::hmm {

struct PaperText {
  std::vector<std::uint64_t> lo, hi;  // planes as in PackedView, with kPlanePadWords words past the last position
  std::uint32_t positions;
};

struct PaperResult {
  double seconds;          // the time of the kernel alone, median of the runs after warm-up
  std::uint32_t distance;  // ASM(X, Y): the least d[m][j] over all positions j
};

enum class PaperKernel {
  registers,     // the wave of wave.cuh
  shared_memory  // the paper's own: a thread for each row, three anti-diagonals in shared memory
};

// Computes ASM(pattern, text) with the text cut into `parts` (the paper's D) that overlap by twice the pattern's
// length. A block takes two parts, one in each half of its registers, or one in shared memory. The pattern has at most
// kMaxRows positions. Throws DeviceError.
PaperResult run_paper(std::span<const BaseSet> pattern, const PaperText& text, std::uint32_t parts, int gpu, int runs,
                      PaperKernel kernel = PaperKernel::registers);

}  // namespace basesweep::hmm
