// The CPU loop of `qgrams`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"
#include "kernels/exact/qgrams/index.hpp"

namespace basesweep::qgrams {

constexpr std::size_t scratch_words(const IndexView&) { return 0; }

}  // namespace basesweep::qgrams

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<qgrams::IndexView>, qgrams_scan)
}  // namespace basesweep
