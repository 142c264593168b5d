// Files that can be read in any order. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/reader/input_file.hpp"

namespace basesweep {

// A file that read() reads by read_at().
class SeekableFile : public InputFile {
 public:
  std::size_t read(char* to, std::size_t size) final {
    const std::size_t got = read_at(to, size, position_);
    position_ += static_cast<std::int64_t>(got);
    return got;
  }
  bool seekable() const final { return true; }

 protected:
  using InputFile::InputFile;
  std::int64_t position() const { return position_; }  // of the next read()

 private:
  std::int64_t position_ = 0;  // of the next read()
};

}  // namespace basesweep
