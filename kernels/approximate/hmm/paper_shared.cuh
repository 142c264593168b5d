// The kernel of Man, Nakano, Ito 2013, section VI, as they describe it: a block takes a part of the text, a thread a
// row of the matrix, and the cells of an anti-diagonal are computed in a step. Three anti-diagonals lie in shared
// memory, by row, so that neighbouring threads access neighbouring addresses. For the comparison with the wave of
// wave.cuh only.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/approximate/hmm/step.hpp"

namespace basesweep::hmm {

struct SharedPart {
  const std::uint32_t* lo;  // planes, in words of 32 positions
  const std::uint32_t* hi;
  std::uint32_t positions;    // of the text
  std::uint32_t stride;       // from the begin of a part to that of the next
  std::uint32_t overlap;      // positions in front of a part
  const std::uint32_t* rows;  // a byte for each base: 2 if the row takes it, else 1
  std::uint32_t length;       // of the pattern
  std::uint32_t* distance;    // the least of all parts
};

// Bytes of shared memory that a block needs.
inline std::size_t shared_diagonal_bytes(std::uint32_t length) { return 3 * (length + 1) * sizeof(std::uint32_t); }
inline int shared_threads(std::uint32_t length) { return static_cast<int>(std::min(1024U, (length + 31) / 32 * 32)); }

__global__ void __launch_bounds__(1024) shared_wave(const __grid_constant__ SharedPart part) {
  extern __shared__ std::uint32_t diagonals[];
  const std::uint32_t rows = part.length + 1;  // with row 0
  std::uint32_t* here = diagonals;
  std::uint32_t* last = here + rows;
  std::uint32_t* before_last = last + rows;
  // Before the part's first position: d[i][0] = i.
  for (std::uint32_t i = threadIdx.x; i < rows; i += blockDim.x) here[i] = last[i] = before_last[i] = i;
  const std::uint32_t begin = blockIdx.x * part.stride;
  const std::uint32_t end = min(begin + part.stride + part.overlap, part.positions);
  const std::uint32_t steps = begin < end ? end - begin + part.length - 1 : 0;
  std::uint32_t least = part.length;
  __syncthreads();
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::uint32_t i = 1 + threadIdx.x; i < rows; i += blockDim.x) {
      const std::uint32_t position = begin + step + 1 - i;  // of the text; wraps around before the part
      std::uint32_t cell = i;
      if (step + 1 >= i && position < end) {
        const std::uint32_t bit = position % 32;
        const std::uint32_t code = (part.lo[position / 32] >> bit & 1) | (part.hi[position / 32] >> bit & 1) << 1;
        const bool equal = (part.rows[i - 1] >> 8 * code & 0xFF) == 2;
        cell = min(min(last[i], last[i - 1]) + 1, before_last[i - 1] + (equal ? 0 : 1));
        if (i == part.length) least = min(least, cell);
      }
      here[i] = cell;
    }
    __syncthreads();
    std::uint32_t* const free = before_last;
    before_last = last;
    last = here;
    here = free;
  }
  if (least < part.length) atomicMin(part.distance, least);
}

}  // namespace basesweep::hmm
