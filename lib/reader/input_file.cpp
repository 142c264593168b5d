#include "lib/reader/input_file.hpp"

#include <stdexcept>

#include "lib/base/error.hpp"

namespace basesweep {

const char* compression_name(Compression compression) {
  switch (compression) {
    case Compression::none: return "none";
    case Compression::gzip: return "gzip";
    case Compression::bgzf: return "bgzf";
    case Compression::zstd: return "zstd";
    case Compression::bzip2: return "bzip2";
    case Compression::xz: return "xz";
  }
  return "";
}

TextPiece InputFile::next_piece() { throw std::logic_error("no pieces of " + path()); }

void InputFile::load_index(const std::string&) { throw std::logic_error("no index can be used for " + path()); }

void InputFile::seek(std::int64_t) { throw std::logic_error("cannot seek in " + path()); }

std::size_t InputFile::read_at(char*, std::size_t, std::int64_t) const {
  throw IoError(path_, "cannot be read out of order");
}

}  // namespace basesweep
