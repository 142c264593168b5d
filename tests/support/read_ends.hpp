// The ends of reads that a finder finds beside those of the full matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lib/finder.hpp"
#include "lib/packed_batch.hpp"
#include "lib/reads/read_batch.hpp"

namespace support {

struct SoughtRead {
  std::string letters;  // empty: not sought
  std::uint32_t edits;
};

bool is_base(char letter);

// Records as they stand side by side in a reference: a filler column, '.', between them.
std::string join(const std::vector<std::string>& records);

// Of these records, approximate.
std::unique_ptr<basesweep::PackedBatch> reads_reference(const std::vector<std::string>& records);

// One entry each.
basesweep::ReadBatch make_reads(const std::vector<SoughtRead>& reads);

using EditsByColumn = std::map<std::uint32_t, std::uint32_t>;

struct ReadEnds {
  std::vector<EditsByColumn> all;     // of each read, what the planes hold
  std::vector<EditsByColumn> needed;  // of each read, those of alignments: no finder may miss them
  bool letters = false;               // the two may differ
};

ReadEnds expected_read_ends(const std::vector<std::string>& records, const std::vector<SoughtRead>& reads);

// The ends of all batches; those of which only some reads were done are asked for the rest. Throws what a batch threw,
// and std::logic_error for answers that are none.
std::vector<std::vector<basesweep::ReadEnd>> find_all(basesweep::Finder& finder,
                                                      const std::vector<basesweep::ReadBatch>& batches);

// What differs first in a batch that has reads [first, first + count), in words; "" where nothing does. `exactly`: ends
// that only the planes have must be found too.
std::string compare_read_ends(const std::vector<basesweep::ReadEnd>& found, const ReadEnds& expected, std::size_t first,
                              std::size_t count, bool exactly);

}  // namespace support
