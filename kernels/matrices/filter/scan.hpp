// The CPU loop of `filter`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/scan.hpp"
#include "kernels/matrices/filter/index.hpp"

namespace basesweep::filter {

// Where a hit starts.
struct Start {
  std::uint32_t position;
  std::uint32_t query;
};

// Candidates that are scored together; and hits whose starts are in one word. When there are more hits, some are sent
// before others to their left.
inline constexpr std::uint32_t kPlaces = 1024;
inline constexpr std::uint32_t kWordHits = 4096;

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
constexpr std::size_t scratch_words(const IndexView&) { return 2 * kWordHits + kPlaces + kPlaces / 2; }

}  // namespace basesweep::filter

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<filter::IndexView>, filter_scan)
}  // namespace basesweep
