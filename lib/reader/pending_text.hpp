// Text of one file that was read but is not yet in a block. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

class PendingText {
 public:
  explicit PendingText(std::shared_ptr<InputFile> file) : file_(std::move(file)) {}
  // Only bytes [begin, end) of the decompressed text; the file must stand at `begin`.
  PendingText(std::shared_ptr<InputFile> file, std::int64_t begin, std::int64_t end)
      : file_(std::move(file)), offset_(begin), unread_(end - begin) {}

  // Reads until `size` bytes are pending, the file ends, or reading fails (see fault()).
  void read_to(std::size_t size);
  // Reserves room for `size` bytes, so that text which comes later need not be moved. Room that stays empty costs no
  // memory.
  void expect(std::size_t size);
  void drop(std::size_t size);                          // the first `size` bytes
  void keep(std::size_t size) { bytes_.resize(size); }  // drops all but the first `size` bytes
  // Moves the first `size` bytes to a block, with their offset, and reserves room for `next_bytes`.
  void give(RawBlock& block, std::size_t size, std::size_t next_bytes);

  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
  std::size_t size() const { return bytes_.size(); }
  std::int64_t offset() const { return offset_; }      // of the first pending byte, in decompressed text
  bool all_read() const { return all_read_; }          // nothing more comes, because of the file's end or a fault
  bool whole() const { return all_read_ && !fault_; }  // the pending text reaches to the end of the file
  // The exception that InputFile::read() threw, if any. The pending text lies before the fault and is to be used first.
  const std::exception_ptr& fault() const { return fault_; }
  void throw_fault() const {
    if (fault_) std::rethrow_exception(fault_);
  }
  const std::shared_ptr<InputFile>& file() const { return file_; }

 private:
  std::shared_ptr<InputFile> file_;
  std::vector<char> bytes_;
  std::int64_t offset_ = 0;
  std::int64_t unread_ = std::numeric_limits<std::int64_t>::max();  // bytes that may still be read
  bool all_read_ = false;
  std::exception_ptr fault_;
};

}  // namespace basesweep
