// The CPU loop of `hamming`, compiled once for each instruction set from scan.cpp. It sends every end in [own_begin,
// own_end).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/hamming/index.hpp"
#include "kernels/scan.hpp"

namespace basesweep::hamming {

// Words of scratch memory, aligned to 64 bytes, that a scan needs: rows, copies of planes, found columns.
constexpr std::size_t scratch_words(const IndexView& index) {
  return std::size_t{index.row_words} * (index.row_count + 2) + std::size_t{index.entry_count} * (kBlockWords + 1);
}

}  // namespace basesweep::hamming

BASESWEEP_DECLARE_SCAN(hamming)
