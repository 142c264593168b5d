// Text of one file that was read but not given out in a block yet. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

class PendingText {
 public:
  explicit PendingText(std::shared_ptr<InputFile> file) : file_(std::move(file)) {}

  // Reads until `size` bytes are pending or the file ends. Throws as InputFile::read does.
  void read_to(std::size_t size);
  void drop(std::size_t size);
  // Moves the first `size` bytes to a block, and makes room for `next_bytes`.
  void give(RawBlock& block, std::size_t size, std::size_t next_bytes);

  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
  std::size_t size() const { return bytes_.size(); }
  std::int64_t offset() const { return offset_; }  // of the first pending byte, in decompressed text
  bool all_read() const { return all_read_; }      // nothing is left in the file
  const std::shared_ptr<InputFile>& file() const { return file_; }

 private:
  std::shared_ptr<InputFile> file_;
  std::vector<char> bytes_;
  std::int64_t offset_ = 0;
  bool all_read_ = false;
};

}  // namespace basesweep
