// Text of one file that was read but is not yet in a block. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/reader/raw_block.hpp"
#include "lib/reader/text_piece.hpp"

namespace basesweep {

class PendingText {
 public:
  // `block_bytes`: of the blocks that the text will be cut into. A file that can hands out pieces of this size, which
  // become blocks as they are. 0: the text is read as it comes.
  explicit PendingText(std::shared_ptr<InputFile> file, std::size_t block_bytes = 0);
  // Only bytes [begin, end) of the decompressed text; the file must stand at `begin`.
  PendingText(std::shared_ptr<InputFile> file, std::int64_t begin, std::int64_t end)
      : file_(std::move(file)), offset_(begin), unread_(end - begin) {}

  // Reads until `size` bytes are pending, the file ends, or reading fails (see fault()).
  void read_to(std::size_t size);
  // Reads text for a block of about `size` bytes: until as much is pending, or a piece, which may be larger or smaller.
  void read_block(std::size_t size) { read_to(in_pieces_ ? size / 2 : size); }
  // How much of what is pending a block of about `size` bytes should take at most.
  std::size_t block_size(std::size_t size) const;
  // Reserves room for `size` bytes, so that text which comes later need not be moved. Room that stays empty costs no
  // memory.
  void expect(std::size_t size);
  void drop(std::size_t size);                           // the first `size` bytes
  void keep(std::size_t size) { end_ = begin_ + size; }  // drops all but the first `size` bytes
  // Moves the first `size` bytes to a block, with their offset.
  void give(RawBlock& block, std::size_t size);

  std::string_view view() const { return {memory_.data.get() + begin_, size()}; }
  std::size_t size() const { return end_ - begin_; }
  std::int64_t offset() const { return offset_; }      // of the first pending byte, in decompressed text
  bool all_read() const { return all_read_; }          // nothing more comes, because of the file's end or a fault
  bool whole() const { return all_read_ && !fault_; }  // the pending text reaches to the end of the file
  // The exception that InputFile::read() threw, if any. The pending text lies before the fault and is to be used first.
  const std::exception_ptr& fault() const { return fault_; }
  void throw_fault() const {
    if (fault_) std::rethrow_exception(fault_);
  }
  const std::shared_ptr<InputFile>& file() const { return file_; }

  // Has records found in pieces that come from now on, if the file can.
  void find_records(RecordFinder finder);
  // The records that were found in a piece, if the first of them begins at byte `at` of the pending text. Their offsets
  // count from `zero` on in the pending text.
  const FoundRecords* found(std::size_t at, std::size_t& zero) const;

 private:
  std::size_t read_some(std::size_t wanted);
  bool take_piece();
  void make_room(std::size_t size);

  std::shared_ptr<InputFile> file_;
  bool in_pieces_ = false;
  TextMemory memory_;
  bool given_ = false;  // a block shares it
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t unread_ = std::numeric_limits<std::int64_t>::max();  // bytes that may still be read
  bool all_read_ = false;
  std::exception_ptr fault_;
  struct FoundInPiece {
    FoundRecords records;
    std::int64_t offset;  // of the piece, in decompressed text
  };
  std::vector<FoundInPiece> found_;  // in pieces that are pending
};

}  // namespace basesweep
