// The CPU loop of `myers`, compiled once for each instruction set from scan.cpp. It sends every end of every
// query, and some past the text's last position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/approximate/verify.hpp"
#include "kernels/cpu/scan.hpp"
#include "kernels/occurrence_sink.hpp"

namespace basesweep {
class PatternSet;  // lib/search/pattern_set.hpp
}

namespace basesweep::myers {

// The queries as plain pointers.
struct IndexView {
  const VerifyQuery* queries;
  const std::uint32_t* ids;  // their indices in the PatternSet
  const EqBlock* blocks;
  std::uint32_t query_count;
};

struct Index {
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries)
      : ids(queries), verify(patterns, queries) {}

  IndexView view() const {
    return {verify.queries.data(), ids.data(), verify.blocks.data(), static_cast<std::uint32_t>(ids.size())};
  }

  std::vector<std::uint32_t> ids;
  VerifyIndex verify;
};

// Words of scratch memory, aligned to 64 bytes, that a scan needs: for each block, two vectors of Pv and two of Mv, of
// at most 64 bytes each.
constexpr std::size_t scratch_words(const IndexView&) { return std::size_t{4} * 8 * kMaxVerifyBlocks; }

}  // namespace basesweep::myers

namespace basesweep {
BASESWEEP_PER_ISA(ScanFunction<myers::IndexView>, myers_scan)
}  // namespace basesweep
