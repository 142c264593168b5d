// The index of `drk2s`: for each query the sub-pattern to skim for, and the whole query in blocks of 32 positions.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep::drk2s {

inline constexpr std::uint32_t kMaxLength = 65'536;
// A sub-pattern begins at most this far into its query, so that a block of text needs few q-grams past its end.
inline constexpr std::uint32_t kMaxOffset = 48;

// The positions [offset, offset + gram) of a query, or the whole query where it is shorter. The low half of their
// fingerprint has the low code bits of the bases, the first base lowest, and the high half has the high code bits: two
// bit-fields of the planes side by side.
struct SubPattern {
  std::uint32_t fingerprint;
  std::uint32_t mask;  // bits of the fingerprint in use: all, unless the query is shorter than the q-gram
  std::uint32_t offset;
  std::uint32_t query;  // index in the PatternSet
  std::uint32_t first_block;
  std::uint32_t block_count;  // 0 where the fingerprint covers the whole query
};

// The index as plain pointers, for the scans.
struct IndexView {
  const SubPattern* subpatterns;
  const PatternBlock* pattern_blocks;
  std::uint32_t count;
  std::uint32_t max_offset;
};

struct Index {
  // Indexes the given queries of the set; none may have IUPAC codes. `gram`: bases of a sub-pattern, at most 16 (both
  // scans take 8).
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, std::uint32_t gram);

  IndexView view() const {
    return {subpatterns.data(), pattern_blocks.data(), static_cast<std::uint32_t>(subpatterns.size()), max_offset};
  }

  std::vector<SubPattern> subpatterns;
  std::vector<PatternBlock> pattern_blocks;
  std::uint32_t max_offset = 0;
};

}  // namespace basesweep::drk2s
