// Text that an input file hands out in memory of its own. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "lib/reader/raw_block.hpp"
#include "lib/reader/text_memory.hpp"

namespace basesweep {

// Whole records that follow each other. They were found without knowing the text before them, so they count only if
// the record before them ends where they begin.
struct FoundRecords {
  std::vector<RecordText> records;  // offsets in the text that was searched
  std::size_t begin = 0;            // of the first record in that text
  std::size_t end = 0;              // of the last one, with its line breaks
  std::int64_t lines = 0;           // from the first to the last
};

// Finds records in a piece of text, which may begin and end inside of one. Several threads may call it at once.
using RecordFinder = std::function<FoundRecords(std::string_view)>;

// A stretch of text, with room before it, where what is left of the stretch before can be put.
struct TextPiece {
  static constexpr std::size_t kRoom = std::size_t{1} << 16;

  std::string_view text() const { return {memory.data.get() + begin, end - begin}; }

  TextMemory memory;
  std::size_t begin = 0;  // of the text in the memory
  std::size_t end = 0;
  FoundRecords found;
};

}  // namespace basesweep
