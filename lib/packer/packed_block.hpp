// A block of text after packing: planes and lists, all positions local to the block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/packed_batch.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

// A record that begins in the block: its bases start at `column`.
struct RecordStart {
  std::uint32_t column;
  std::string name;  // first word of the title
};

// Why packing stopped: what comes after it is not packed.
struct TextError {
  std::optional<std::int64_t> file_offset;  // in decompressed text
  std::string what;
};

struct PackedBlock {
  std::uint64_t number = 0;
  std::uint32_t source = 0;
  Format format = Format::fasta;
  std::optional<Resume> resume;  // as of the RawBlock
  std::uint32_t columns = 0;
  std::vector<std::uint64_t> lo;  // ceil(columns / 64) words or more
  std::vector<std::uint64_t> hi;
  std::vector<Interval> not_acgt;     // sorted, disjoint, not touching each other
  std::vector<Interval> soft_masked;  // likewise; empty unless asked for
  std::vector<LetterRun> letters;     // what not_acgt holds, split by letter; empty unless asked for
  std::vector<RecordStart> starts;    // sorted by column
  std::optional<TextError> error;
};

}  // namespace basesweep
