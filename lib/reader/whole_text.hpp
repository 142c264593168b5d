// Small text files, read in one go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/input_file.hpp"

namespace basesweep {

// Bytes of the largest file that read_all() reads: files of patterns, regions, plans and indices.
inline constexpr std::size_t kMaxWholeText = std::size_t{4} << 30;

// Bytes of the longest line of such a file.
inline constexpr std::size_t kMaxLine = std::size_t{64} << 20;

// The bytes of the UTF-8 byte order mark that the text begins with, 3 or 0. Windows programs write it before text; all
// text files are read without it.
inline std::size_t byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? kMark.size() : 0;
}

// The decompressed text of a file ("-": stdin), without a byte order mark. Sets `compression`, unless it is null, to
// how the file is compressed. Throws like InputFile, and DataError when the text is larger than kMaxWholeText or a line
// is longer than kMaxLine.
std::string read_all(const std::string& path, Compression* compression = nullptr);

// The error for a line of more than `max_bytes`. `line`: its number, from 1.
DataError line_too_long(const std::string& path, std::uint64_t line, std::size_t max_bytes);

// Calls use(line, number) for each line, without its line end (LF, CR LF or CR). Numbers start at 1.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  for (std::size_t number = 1; !text.empty(); ++number) use(take_line(text), number);
}

}  // namespace basesweep
