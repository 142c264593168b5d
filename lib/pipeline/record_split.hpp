// Writes the records of the input that have a hit to one output, and the others to another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/packer/packed_block.hpp"
#include "lib/pipeline/record_sinks.hpp"
#include "lib/reader/raw_block.hpp"
#include "lib/reader/record_slices.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {

struct RecordSplitOptions {
  RecordSinks matching{};  // get the records that have a hit
  RecordSinks others{};    // get those that have none
  std::string spool_directory = "/tmp";
  std::size_t max_held_bytes = std::size_t{1} << 26;  // more text that waits goes to a temporary file
  std::optional<PairChoice> pairs{};                  // set: blocks are of pairs
};

// Records are written in input order, with their original bytes; one that does not end with a line end gets one. The
// text of a record waits until its hits are known: a block of a plain file only as its place in the file, other blocks
// in memory, or in a temporary file when much waits, as of a chromosome without a hit. The text of a record that is
// known to have a hit does not wait for the record's end.
//
// Records 2 i and 2 i + 1 of blocks of pairs are mates. They are written with one line end each, without blank lines
// between them. Such blocks do not come together with others.
//
// add() may be called by another thread than the other functions, and at the same time.
class RecordSplit {
 public:
  explicit RecordSplit(RecordSplitOptions options);

  // The next block, with PackedBlock::text. Throws IoError; UsageError where the format changes.
  void add(const PackedBlock& block);
  // The record has a hit. Records are numbered from 0 in input order, those without bases included.
  void mark(std::int64_t record);
  // No more hits come for records before this one: writes them. Throws IoError.
  void decide(std::int64_t record);
  // No more hits come. Throws IoError.
  void finish();
  // After finish().
  SplitCounts counts() const;

 private:
  // Text of one record in one block: bytes [begin, end) of the block, or of the spool if `block` is null.
  struct RecordBytes {
    std::int64_t record;
    std::shared_ptr<const RawBlock> block;
    std::int64_t begin;
    std::int64_t end;
  };
  // The bytes that wait to be written to one sink.
  struct Output {
    ByteSink* sink;
    std::int64_t record = -1;  // of the last byte
    std::string bytes{};
    char last = '\n';
  };

  void add_records(const PackedBlock& block);
  void add_pairs(const std::shared_ptr<const RawBlock>& block);
  void add_piece(std::shared_ptr<const RawBlock> block, std::int64_t begin, std::int64_t end);
  // Adds the line ends that the record lacks if it ends its block, else what is written next would be taken for its
  // quality.
  void complete_last(const RawBlock& block, std::int64_t begin, std::int64_t end);
  void check_format(Format format);
  void spool();
  std::vector<RecordBytes> take_decided(std::int64_t record);
  bool has_hit(std::int64_t record) const {
    return record >= 0 && static_cast<std::size_t>(record) < has_hit_.size() &&
           has_hit_[static_cast<std::size_t>(record)];
  }
  // Whether the record matches, by the hits so far. One that does will do so whatever hits come.
  bool matched(std::int64_t record) const {
    const bool own = has_hit(record);
    if (!options_.pairs) return own;
    const bool mate = has_hit(record ^ 1);
    return options_.pairs == PairChoice::both ? own && mate : own || mate;
  }
  // Whether no hit of records from `end` on can change what becomes of this one.
  bool decided(std::int64_t record, std::int64_t end) const {
    return (options_.pairs ? record | 1 : record) < end || matched(record);
  }
  bool is_second(std::int64_t record) const { return options_.pairs && record % 2 == 1; }
  void write(const RecordBytes& piece);
  std::string_view text_of(const RecordBytes& piece);
  static void flush(Output& output);

  const RecordSplitOptions options_;
  std::mutex mutex_;  // guards what follows
  std::deque<RecordBytes> waiting_;
  std::size_t held_bytes_ = 0;  // of the pieces of waiting_ whose blocks are in memory
  std::int64_t record_ = -1;    // the last that began
  std::optional<Format> format_;
  NamelessFile spool_;

  std::vector<bool> has_hit_;  // of each record so far
  std::array<Output, 2> matching_;
  std::array<Output, 2> others_;
  std::shared_ptr<const RawBlock> open_;  // the block whose text was read last
  std::span<const char> open_text_;
  std::vector<char> scratch_;
};

// The numbers of records by their numbers among those that have bases (Segment::reference).
class RecordNumbers {
 public:
  // References must come in ascending order; all that have hits must come.
  void add(std::int64_t reference, std::int64_t record) {
    const std::int64_t without_bases = record - reference;
    if (shifts_.back().second != without_bases) shifts_.emplace_back(reference, without_bases);
  }
  std::int64_t of(std::int64_t reference) const {
    const auto after = std::partition_point(shifts_.begin(), shifts_.end(),
                                            [reference](const auto& shift) { return shift.first <= reference; });
    return reference + std::prev(after)->second;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> shifts_{{0, 0}};  // from this reference on, records without bases
};

}  // namespace basesweep
