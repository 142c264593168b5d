// The step of `hmm`: one cell of the matrix of edits. Cells is a word of 16-bit values: a pair in a CUDA thread, a
// vector on the CPU.
//
// The paper's d[i][j] is the least number of edits between the first i positions of the pattern X and any part of the
// text Y that ends at its position j (Man, Nakano, Ito 2013, section IV). The value kept here is a[i][j] = i - d[i][j],
// which takes one addition less and has 0 at all borders:
//
//   d[i][j] = min(d[i][j-1] + 1, d[i-1][j] + 1, d[i-1][j-1] + (x[i] != y[j]))    d[0][j] = 0    d[i][0] = i
//   a[i][j] = max(a[i][j-1] - 1, a[i-1][j],     a[i-1][j-1] + (x[i] == y[j]))    a[0][j] = 0    a[i][0] = 0
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep::hmm {

inline constexpr std::uint32_t kMaxRows = 2048;  // the most positions of a pattern, as in the paper

// `left`: a[i][j-1] - 1. `gain`: 1 where x[i] == y[j], else 0. max(a, b, c): per value.
template <class Cells, class Max>
BASESWEEP_HD Cells cell(Cells left, Cells up, Cells diagonal, Cells gain, Max max) {
  return max(left, up, diagonal + gain);
}

}  // namespace basesweep::hmm
