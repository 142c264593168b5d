// The input files for compressed streams, which open_input() makes. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lib/base/error.hpp"
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

// How a gzip file is inflated by several threads. Each gets spans of `span_bytes`, and `tail_bytes` behind them for the
// last block of a span to end in.
struct GzipThreads {
  int threads;  // at least 2
  std::size_t span_bytes = 1U << 19;
  std::size_t tail_bytes = 1U << 18;
  std::size_t piece_bytes = 1U << 19;  // of text, unless InputFile::give_pieces() says else
};

// How many threads inflate a gzip file of this many bytes (-1: not known), of those that the run may use.
int gzip_threads(int threads, std::int64_t bytes);

// The same as make_gzip_file(), inflated by helpers of the thread that reads. Each needs at most 60 MB.
std::shared_ptr<InputFile> make_parallel_gzip_file(const std::string& path, Stream stream, std::int64_t bytes,
                                                   const GzipThreads& threads);

// How many threads inflate BGZF, of those that the run may use.
int bgzf_threads(int threads);

// A BGZF file. The thread that reads inflates it, with `threads` helpers when that is more than one. Gzip members that
// are not BGZF may follow. `bytes`: as for gzip. `stored`: the file as it is stored, seekable, from which helpers read
// their blocks; null: only the stream is read.
std::shared_ptr<InputFile> make_bgzf_file(const std::string& path, Stream stream, std::int64_t bytes, int threads,
                                          std::shared_ptr<const InputFile> stored = nullptr);

// Recognises the compression of a file by its first bytes. `head` should hold the first kMagicBytes bytes, or the whole
// file if it is shorter. BGZF is recognised as HTSlib does it: BC must be the only extra field. Other BGZF data are
// read as gzip, which they are too.
inline constexpr std::size_t kMagicBytes = 16;
Compression compression_of(std::span<const char> head);

// The words for an error code of ISA-L.
const char* inflate_fault(int code);

// The error of a file whose end comes before the size that it had when it was opened.
IoError became_shorter(const std::string& path);

// A file of one or many members of zstd, bzip2 or xz, decoded in the thread that reads. `bytes`: as for gzip.
std::shared_ptr<InputFile> make_decoded_file(const std::string& path, Stream stream, std::int64_t bytes,
                                             Compression compression);

}  // namespace basesweep
