// How InputFile::open makes its readers of compressed streams. Private to the reader.
#pragma once

#include <memory>
#include <string>

#include "lib/reader/input_file.hpp"

struct hFILE;  // HTSlib's buffered byte stream

namespace basesweep {

struct CloseStream {
  void operator()(hFILE* stream) const noexcept;
};
using Stream = std::unique_ptr<hFILE, CloseStream>;

// Any gzip file: one or many members, BGZF among them. Inflated by ISA-L in the calling thread.
std::shared_ptr<InputFile> make_gzip_file(const std::string& path, Stream stream);

// BGZF, inflated by HTSlib with `threads` helpers when there are more than one. `descriptor` is the stream's where
// that is a file from its begin on, which can be read twice; -1 else.
std::shared_ptr<InputFile> make_bgzf_file(const std::string& path, Stream stream, int descriptor, int threads);

}  // namespace basesweep
