// Follows packed blocks through the records they hold: which record comes next, and where in it a base lies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/packer/packed_block.hpp"

namespace basesweep {

// The record that a cursor is in.
struct CurrentRecord {
  std::uint32_t source = 0;     // index of its file among the paths
  std::int64_t number = -1;     // among all records of the input, from 0; -1: none has begun
  std::int64_t reference = -1;  // among the records that have bases, from 0; set when its first base comes
  std::string name;             // first word of its title
  std::int64_t length = 0;      // its bases so far, that is the offset of the next one, 0-based
  // Its length if it is circular and complete, else 0. Only with a length, offsets may lie outside [0, length).
  std::int64_t circular_length = 0;
};

// Bases of one record that lie side by side in a block. Owns nothing: the block belongs to the cursor's caller and the
// record to the cursor; both are valid during the call that passes these bases.
struct RecordBases {
  const PackedBlock& block;
  const CurrentRecord& record;
  std::uint32_t begin;  // positions [begin, end) of the block
  std::uint32_t end;
  std::int64_t offset;  // in the record, 0-based, of position `begin`

  // Positions [from, to) of the block, which are among these.
  RecordBases part(std::uint32_t from, std::uint32_t to) const {
    return {block, record, from, to, offset + from - begin};
  }
};

// Counts of one input file. With regions, `bases` and `not_acgt` count bases inside regions, `records` the records that
// have a region. A record that several chunks of a plan have regions of is only counted by the first of them, so that
// their sum counts it once.
struct SourceCounts {
  std::int64_t records = 0;
  std::int64_t bases = 0;                     // `not_acgt` among them
  std::int64_t not_acgt = 0;                  // bases that are not A, C, G or T
  std::optional<std::int64_t> soft_masked{};  // bases in lower case, if they are counted
};

// Gets the records and bases that the cursor comes to, in order: for each record record_starts(), then, if it has
// bases, bases_start() and bases() one or more times, then record_ends(). A block that resumes inside a record
// (PackedBlock::resume) calls record_starts() only if the cursor was in another record, and bases_start() always.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  virtual void record_starts(const PackedBlock& /*block*/, const CurrentRecord& /*record*/) {}
  virtual void bases_start(const CurrentRecord& /*record*/) {}
  virtual void bases(const RecordBases& /*bases*/) {}  // at least one base
  virtual void record_ends(const CurrentRecord& /*record*/, bool /*has_bases*/) {}
  // Called between records, after record_ends() of the one before, which is `before`. The visitor may take whole
  // records at once: those of `block.starts` from index `first` on, never the last one, each with bases. It returns
  // how many it took. The calls above are not made for these records.
  virtual std::size_t take_records(const PackedBlock& /*block*/, std::size_t /*first*/,
                                   const CurrentRecord& /*before*/) {
    return 0;
  }
};

// Not thread-safe.
class RecordCursor {
 public:
  // `paths`: the files, as messages name them. `first_record`: the number of the first record that comes, also among
  // those that have bases. `keep_records`: whether records() is filled; then no block may resume inside a record.
  RecordCursor(std::vector<std::string> paths, std::int64_t first_record, bool keep_records);

  // Goes through a block. Blocks must come in order of their numbers. Throws PackedBlock::error as DataError, with
  // path, record and position; DataError for bases before the first title; and what the visitor throws.
  void follow(const PackedBlock& block, RecordVisitor& visitor);
  // The input has ended: the last record ends too.
  void finish(RecordVisitor& visitor) { end_record(visitor); }

  const CurrentRecord& record() const { return record_; }
  const std::vector<std::string>& paths() const { return paths_; }
  // Names and lengths of the records so far, those without bases included. The last may still grow.
  const std::vector<RecordInfo>& records() const { return records_; }

 private:
  std::size_t offer_records(const PackedBlock& block, std::size_t first, RecordVisitor& visitor);
  void start_record(const PackedBlock& block, std::size_t start, RecordVisitor& visitor);
  void resume_record(const PackedBlock& block, RecordVisitor& visitor);
  void end_record(RecordVisitor& visitor);
  void pass_bases(const PackedBlock& block, std::uint32_t from, std::uint32_t to, RecordVisitor& visitor);
  [[noreturn]] void fail(const PackedBlock& block) const;

  const std::vector<std::string> paths_;
  const bool keep_records_;
  std::vector<RecordInfo> records_;
  CurrentRecord record_;
  bool in_record_ = false;
  bool has_bases_ = false;  // bases of the current record have come, or it was resumed
};

}  // namespace basesweep
