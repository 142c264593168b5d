// The inner step of `drk2s`, for the CPU and CUDA threads: the fingerprint of a window of text. The check of
// chunks is chunks_match() of kernels/text.hpp.
#pragma once

#include <cstdint>

#include "kernels/drk2s/index.hpp"
#include "lib/host_device.hpp"

namespace basesweep::drk2s {

// The fingerprint of the kBases columns in the low bits of `lo` and `hi`; what lies above them does not matter. Word
// has 2 kBases bits: a vector of uint16_t on the CPU. (The CUDA kernel makes the same with byte shuffles.)
template <int kBases, class Word>
BASESWEEP_HD Word window_fingerprint(Word lo, Word hi) {
  return (lo & ((1U << kBases) - 1)) | hi << kBases;
}

}  // namespace basesweep::drk2s
