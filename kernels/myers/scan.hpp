// The CPU loop of `myers`, compiled once for each instruction set from scan.cpp. It sends every end of every
// entry, and some past the text's last column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/hit_sink.hpp"
#include "kernels/scan.hpp"
#include "kernels/verify.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::myers {

// The entries, as plain pointers.
struct IndexView {
  const VerifyEntry* entries;
  const std::uint32_t* ids;  // their indices in the PatternSet
  const EqBlock* blocks;
  std::uint32_t entry_count;
};

struct Index {
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries)
      : ids(entries), verify(patterns, entries) {}

  IndexView view() const {
    return {verify.entries.data(), ids.data(), verify.blocks.data(), static_cast<std::uint32_t>(ids.size())};
  }

  std::vector<std::uint32_t> ids;
  VerifyIndex verify;
};

// Words of scratch memory, aligned to 64 bytes, that a scan needs: two vectors of Pv and Mv a block, 64 bytes at most.
constexpr std::size_t scratch_words(const IndexView&) { return std::size_t{4} * 8 * kMostVerifyBlocks; }

}  // namespace basesweep::myers

BASESWEEP_DECLARE_SCAN(myers)
