// How much memory of a GPU is left.
#pragma once

#include <cstddef>

namespace basesweep::cuda {

// The bytes that the current device has free, as far as BASESWEEP_GPU_MEMORY allows: it holds for all `gpus` together.
// Defined in buffer.cpp.
std::size_t free_bytes(std::size_t gpus);

}  // namespace basesweep::cuda
