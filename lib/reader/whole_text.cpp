#include "lib/reader/whole_text.hpp"

#include <fmt/format.h>

#include "lib/base/error.hpp"

namespace basesweep {

std::string read_all(const std::string& path, Compression* compression) {
  const std::shared_ptr<InputFile> file = InputFile::open(path, 1);
  if (compression != nullptr) *compression = file->compression();
  constexpr std::size_t kStep = 1U << 16;
  std::string text;
  for (std::size_t got = kStep; got != 0;) {
    const std::size_t size = text.size();
    text.resize(size + kStep);
    got = file->read(text.data() + size, kStep);
    text.resize(size + got);
    if (text.size() > kMaxWholeText) {
      throw DataError(
          fmt::format("{}: larger than {} GiB, which no file of this kind is", file->path(), kMaxWholeText >> 30));
    }
  }
  return text;
}

}  // namespace basesweep
