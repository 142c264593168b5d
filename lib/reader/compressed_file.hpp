// The input files for compressed streams, which InputFile::open() makes. Private to the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lib/reader/input_file.hpp"

struct hFILE;  // HTSlib's buffered byte stream

namespace basesweep {

struct CloseStream {
  void operator()(hFILE* stream) const noexcept;
};
using Stream = std::unique_ptr<hFILE, CloseStream>;

// A gzip file of one or many members (BGZF is one of these). ISA-L inflates it in the thread that reads. `bytes`: how
// many the stream has, or -1 when that is not known. A stream that ends earlier is an error, even between members.
std::shared_ptr<InputFile> make_gzip_file(const std::string& path, Stream stream, std::int64_t bytes);

// A BGZF file, inflated by HTSlib, with `threads` helper threads when that is more than one. `descriptor`: the stream's
// own when the stream is a regular file read from its start, so that it can be read a second time; otherwise -1.
std::shared_ptr<InputFile> make_bgzf_file(const std::string& path, Stream stream, int descriptor, int threads);

}  // namespace basesweep
