// A block of text after packing: planes and lists, all positions local to the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/raw_block.hpp"
#include "lib/search/packed_view.hpp"
#include "lib/search/segment.hpp"

namespace basesweep {

// A record that begins in the block.
struct RecordStart {
  std::uint32_t position;    // of its first base in the block; the end of the block if it has none there
  std::uint32_t name_end;    // in PackedBlock::names, where its name begins at the end of the one before
  std::uint32_t text_begin;  // of its title in the text of the block, in bytes; of pairs: of the block that holds it
  std::uint32_t source;      // index of its file
};

// Counts of the bases that a block has from one file.
struct FileLetters {
  std::uint32_t source;
  std::uint32_t positions;
  std::uint32_t nucleotides;  // bases that are A, C, G, T, U or N
};

// Why packing stopped. The text from there on is not packed.
struct TextError {
  std::optional<std::int64_t> file_offset;  // byte of the decompressed text, 0-based; nothing: the text is in memory
  std::string what;
  // If set, the second mate of the record, in the file of this index, has another name, which is `what`.
  std::optional<std::uint32_t> mate{};
};

// Moves `next`, an index into sorted intervals, to the first one that reaches past `position`. Going through a block in
// order, this takes one step for each interval of the block.
inline void skip_before(const std::vector<Interval>& intervals, std::uint32_t position, std::size_t& next) {
  while (next < intervals.size() && intervals[next].end <= position) ++next;
}

struct PackedBlock {
  std::uint64_t number = 0;  // this and the next three: as in the RawBlock
  std::uint32_t source = 0;  // of pairs: of the first record
  Format format = Format::fasta;
  std::optional<Resume> resume;
  std::uint32_t positions = 0;    // bases in the block, all records together
  std::uint32_t nucleotides = 0;  // bases that are A, C, G, T, U or N
  std::vector<std::uint64_t> lo;  // planes as in PackedView, ceil(positions / 64) words or more
  std::vector<std::uint64_t> hi;
  std::vector<Interval> not_acgt;     // positions that are not A, C, G or T; sorted, disjoint, not touching each other
  std::vector<Interval> soft_masked;  // positions in lower case, sorted the same way; see PackerOptions::soft_masked
  std::vector<Interval> lower_case;   // in their place: see PackerOptions::count_soft_masked
  std::vector<LetterRun> letters;     // not_acgt split by letter; see PackerOptions::letters
  std::vector<RecordStart> starts;    // sorted by position
  std::string names;                  // of those records, one after another; see name()
  std::vector<FileLetters> files;     // of pairs: the letters from each file; otherwise empty
  std::optional<TextError> error;     // comes after these positions
  std::shared_ptr<const RawBlock> text;  // set by the pipeline when records are written out; see RecordSplit

  bool has_pairs() const { return !files.empty(); }
  // A record of file `of` starts after the last position. `text_begin`: see RecordStart.
  void add_start(std::uint32_t position, std::string_view name, std::uint32_t text_begin, std::uint32_t of) {
    names += name;
    starts.push_back({position, static_cast<std::uint32_t>(names.size()), text_begin, of});
  }
  // The name of record `i` of those that begin here: the first word of its title.
  std::string_view name(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : starts[i - 1].name_end;
    return std::string_view(names).substr(begin, starts[i].name_end - begin);
  }
};

}  // namespace basesweep
