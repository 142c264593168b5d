// Reads a file by lines or by numbers of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/input_file.hpp"

namespace basesweep {

// Bytes of the longest line of a part: TSV may have a hit of a whole record in it.
inline constexpr std::size_t kMaxPartLine = std::size_t{1} << 30;

// The decompressed bytes of a file, in order. A view that a function returns lives until the next call. All functions
// throw IoError and DataError.
class ByteStream {
 public:
  explicit ByteStream(const std::string& path, std::size_t max_line = kMaxPartLine);

  // The next line with its line end, which the last line may lack; empty at the end of the file. Throws DataError for
  // one of more than `max_line` bytes.
  std::string_view line();
  // The next `count` bytes; fewer at the end of the file.
  std::string_view bytes(std::size_t count);
  // The next bytes, as many as are in memory, at least one; empty at the end of the file.
  std::string_view some();
  // The next `count` bytes, which remain to be read; fewer at the end of the file.
  std::string_view peek(std::size_t count);

 private:
  bool fill();

  std::shared_ptr<InputFile> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t max_line_;
  std::uint64_t lines_ = 0;  // that line() was asked for
};

}  // namespace basesweep
