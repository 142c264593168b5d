// The text of a batch of reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/reader/raw_block.hpp"

namespace basesweep {

// A batch holds no more, so that its entries, two a read, can be told by 20 bits.
inline constexpr std::size_t kMostReadsOfBatch = std::size_t{1} << 19;

// Records [begin, end) of a block's list.
struct RecordSlice {
  std::shared_ptr<const RawBlock> block;
  std::size_t begin;
  std::size_t end;
};

// Records of one input, or as many of each of two inputs, whose i-th records are mates.
struct RawReads {
  std::uint64_t number = 0;  // place in the order of the input
  std::vector<RecordSlice> first;
  std::vector<RecordSlice> second;  // of the mates' input, where that is another
  std::vector<std::string> paths;   // RawBlock::source of `first` counts the first ones, that of `second` what follows
  std::size_t second_path = 0;      // index of the first path of `second`
  std::size_t text_bytes = 0;
};

}  // namespace basesweep
