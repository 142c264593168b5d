// Writes .2bit files (UCSC), version 0, or 1 where offsets need 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/packer/record_cursor.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {

// Takes records from a RecordCursor, whose blocks must list soft-masked positions (PackerOptions), then writes them.
// The index comes first in the file, so records wait in a temporary file. Every letter but A, C, G, T becomes N;
// records without bases are left out.
class TwoBitWriter final : public RecordVisitor {
 public:
  // `paths`: the inputs, as messages name them.
  TwoBitWriter(std::vector<std::string> paths, const std::string& spool_directory)
      : paths_(std::move(paths)), spool_(spool_directory) {}

  // These throw DataError when a record cannot be in a .2bit file: its name is empty, used twice or longer than 255
  // bytes, or it has 2^32 bases or more; and IoError.
  void record_starts(const PackedBlock& block, const CurrentRecord& record) override;
  void bases(const RecordBases& bases) override;
  void record_ends(const CurrentRecord& record, bool has_bases) override;

  // To be called after the last record. `wide`: writes version 1 in any case.
  void write(ByteSink& sink, bool wide);

  std::size_t records() const { return records_.size(); }
  std::int64_t positions() const { return positions_; }         // bases of all records
  std::size_t empty_records() const { return empty_records_; }  // left out

 private:
  // Bytes of the temporary file.
  struct FileBytes {
    std::int64_t begin = 0;
    std::int64_t bytes = 0;
  };
  struct Record {
    std::string name;
    FileBytes head{};  // all that comes before its codes
    FileBytes codes{};
  };

  void append(std::uint64_t low_bits, std::uint64_t high_bits, unsigned count);
  std::int64_t put_aside(std::string_view bytes);
  void spool_waiting();
  void flush();
  void copy(const FileBytes& place, ByteSink& sink) const;

  std::vector<std::string> paths_;
  NamelessFile spool_;
  std::string waiting_;  // bytes that come next in the temporary file
  std::vector<Record> records_;
  std::set<std::string> names_;
  std::int64_t positions_ = 0;
  std::size_t empty_records_ = 0;

  // The record at hand.
  std::vector<std::uint32_t> unknown_;  // begin and end of each stretch of N
  std::vector<std::uint32_t> masked_;   // the same of lower case
  std::uint64_t low_bits_ = 0;          // of codes that are not in codes_ yet
  std::uint64_t high_bits_ = 0;
  unsigned pending_ = 0;  // how many
  std::string codes_;     // that were not put aside yet
};

}  // namespace basesweep
