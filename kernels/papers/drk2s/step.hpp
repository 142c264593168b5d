// The step of `drk2s`, for the CPU and CUDA threads: the fingerprint of a q-gram of text (Ashkiani, Amenta, Owens 2016,
// section 7.2). Blocks are compared by blocks_match() of kernels/text.hpp.
#pragma once

#include <cstdint>

#include "kernels/papers/drk2s/index.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::drk2s {

// The fingerprint of the kBases positions in the low bits of `lo` and `hi`; the bits above them do not matter. Word has
// 2 kBases bits: a vector of uint16_t on the CPU. (The CUDA kernel makes the same with byte shuffles.)
template <int kBases, class Word>
BASESWEEP_HD Word gram_fingerprint(Word lo, Word hi) {
  return (lo & ((1U << kBases) - 1)) | hi << kBases;
}

}  // namespace basesweep::drk2s
