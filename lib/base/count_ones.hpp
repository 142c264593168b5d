// Population counts for the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep {

BASESWEEP_HD std::uint32_t count_ones(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}

BASESWEEP_HD std::uint32_t count_ones(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popcll(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcountll(bits));
#endif
}

}  // namespace basesweep
