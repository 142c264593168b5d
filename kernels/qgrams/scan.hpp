// The CPU loop of `qgrams`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/qgrams/index.hpp"
#include "kernels/scan.hpp"

namespace basesweep::qgrams {

constexpr std::size_t scratch_words(const IndexView&) { return 0; }

}  // namespace basesweep::qgrams

BASESWEEP_DECLARE_SCAN(qgrams)
