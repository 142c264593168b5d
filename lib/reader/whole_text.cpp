#include "lib/reader/whole_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/open_input.hpp"

namespace basesweep {

DataError line_too_long(const std::string& path, std::uint64_t line, std::size_t max_bytes) {
  return DataError(
      max_bytes >= (std::size_t{1} << 30)
          ? fmt::format("{}: line {}: longer than {} GiB, which no line of this kind is", path, line, max_bytes >> 30)
          : fmt::format("{}: line {}: longer than {} MiB, which no line of this kind is", path, line, max_bytes >> 20));
}

std::string read_all(const std::string& path, Compression* compression) {
  const std::shared_ptr<InputFile> file = open_input(path, 1);
  if (compression != nullptr) *compression = file->compression();
  constexpr std::size_t kStep = 1U << 16;
  std::string text;
  std::size_t line_begin = 0;
  std::uint64_t line = 1;
  for (std::size_t got = kStep; got != 0;) {
    const std::size_t size = text.size();
    text.resize(size + kStep);
    got = file->read(text.data() + size, kStep);
    text.resize(size + got);
    for (std::size_t end = size; (end += line_size(std::string_view(text).substr(end))) != text.size(); ++end) {
      if (end - line_begin > kMaxLine) break;
      const bool after_cr = text[end] == '\n' && end > 0 && text[end - 1] == '\r';
      if (!after_cr) ++line;
      line_begin = end + 1;
    }
    if (text.size() - line_begin > kMaxLine) throw line_too_long(file->path(), line, kMaxLine);
    if (text.size() > kMaxWholeText) {
      throw DataError(
          fmt::format("{}: larger than {} GiB, which no file of this kind is", file->path(), kMaxWholeText >> 30));
    }
  }
  text.erase(0, byte_order_mark(text));
  const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (utf16 && compression == nullptr) {  // who asks for the compression explains such files
    throw DataError(
        fmt::format("{}: UTF-16 text: save it as UTF-8, or convert it with 'iconv -f UTF-16 -t UTF-8'", file->path()));
  }
  return text;
}

}  // namespace basesweep
