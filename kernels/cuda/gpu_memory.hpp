// The limit on GPU memory that the environment sets.
#pragma once

#include <cstddef>

namespace basesweep {

// The most bytes of GPU memory to take: BASESWEEP_GPU_MEMORY if it is set and not empty, else no limit. Throws
// UsageError if it is not a number of bytes.
std::size_t allowed_gpu_bytes();

}  // namespace basesweep
