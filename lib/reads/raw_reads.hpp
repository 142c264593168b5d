// The text of a batch of reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/raw_block.hpp"

namespace basesweep {

// A batch holds at most this many reads, so that 20 bits number its queries, two for each read (see ReadEnd).
inline constexpr std::size_t kMaxReadsOfBatch = std::size_t{1} << 19;

// Records of one input, or the same number of each of two inputs, whose i-th records are mates. Shares the blocks that
// hold their text; RawBlock::source is an index of `paths`.
struct RawReads {
  std::uint64_t number = 0;  // place among the batches of the input, from 0
  std::vector<RecordSlice> first;
  std::vector<RecordSlice> second;  // of the second mates' input; empty: there is one input
  std::vector<std::string> paths;   // of the first input, then of the second, as messages name them
  std::size_t text_bytes = 0;       // of all records
};

// Hands out the batches of an input, in order. Not thread-safe.
class RawReadSource {
 public:
  virtual ~RawReadSource() = default;
  // The next batch; nothing at the end of the input.
  virtual std::optional<RawReads> next() = 0;
};

}  // namespace basesweep
