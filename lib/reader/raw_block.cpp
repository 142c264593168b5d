#include "lib/reader/raw_block.hpp"

#include "lib/error.hpp"
#include "lib/reader/input_file.hpp"

namespace basesweep {

std::span<const char> RawBlock::text(std::vector<char>& scratch) const {
  if (file == nullptr) return bytes;
  scratch.resize(size);
  if (file->read_at(scratch.data(), size, file_offset) != size)
    throw IoError(file->path(), "the file became shorter while it was read");
  return scratch;
}

}  // namespace basesweep
