// What the environment says of GPU memory.
#pragma once

#include <cstddef>

namespace basesweep {

// Bytes of GPU memory to take at most: BASESWEEP_GPU_MEMORY, where it is set and not empty, else no limit. Throws
// UsageError where it is no number of bytes.
std::size_t allowed_gpu_bytes();

}  // namespace basesweep
