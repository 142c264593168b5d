// Population counts and the like for the CPU and CUDA threads.
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

// The index of the highest bit that is set; `bits` is not 0.
BASESWEEP_HD std::uint32_t highest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(31 - __clz(static_cast<int>(bits)));
#else
  return static_cast<std::uint32_t>(31 - __builtin_clz(bits));
#endif
}

// The index of the lowest bit that is set; `bits` is not 0.
BASESWEEP_HD std::uint32_t lowest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
  return static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
}

BASESWEEP_HD std::uint32_t lowest_bit(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(bits)) - 1);
#else
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
#endif
}

}  // namespace basesweep
