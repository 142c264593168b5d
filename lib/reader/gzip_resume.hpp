// Where ISA-L goes on with gzip data that another inflater began. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/reader/compressed_file.hpp"

namespace basesweep {

struct GzipResume {
  std::int64_t offset = 0;          // of `ahead` in the compressed file
  std::vector<std::uint8_t> ahead;  // compressed bytes that were taken from the stream
  std::exception_ptr fault;         // that the stream had behind them
  // The member that the data go on with, where it is not a new one.
  struct Inside {
    unsigned bit;                      // of the first byte, where a block begins
    std::vector<std::uint8_t> window;  // the text before it, at most kDeflateWindow bytes
    std::uint32_t crc;                 // of the member's text so far
    std::uint32_t text_bytes;          // of it, modulo 2^32
  };
  std::optional<Inside> inside;
};

// Reads the rest of a gzip file by ISA-L. The messages are those of make_gzip_file().
std::shared_ptr<InputFile> resume_gzip_file(const std::string& path, Stream stream, std::int64_t bytes,
                                            GzipResume resume);

// The bytes of the header of a member that data begin with; nothing where the data are too short, or where the header
// is not plain: ISA-L then judges it.
std::optional<std::size_t> gzip_header_bytes(std::span<const std::uint8_t> data);

}  // namespace basesweep
