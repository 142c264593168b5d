// Files behind URLs, which HTSlib reads. Private to the reader.
//
// libcurl counts the bytes of each reply against the length that the server announced, and the first byte of a range
// against the one that was asked for. So a reply that ends early or begins elsewhere is an error as long as the server
// announces a length, and files of servers that do not are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lib/reader/compressed_file.hpp"

namespace basesweep {

// Opens the file to be read from its begin. Throws IoError when it cannot be had, when this HTSlib reads no URLs, and
// when the server does not say how long the file is.
Stream open_url(const std::string& url);

// Makes `offset` the next byte of a stream that open_url() opened. Throws IoError.
void seek_url(const std::string& url, hFILE* stream, std::int64_t offset);

// A plain file that is seekable(): read_at() asks the server for ranges. Throws IoError when the server sends none.
std::shared_ptr<InputFile> make_url_file(const std::string& url, Stream stream);

// The bytes of a small file as the server has it; nothing if it has none, or none for us. Throws IoError; DataError for
// one of more than `max_bytes`.
std::optional<std::string> fetch_url(const std::string& url, std::size_t max_bytes);

// Whether the server has the file, and lets us read it. Throws IoError when that cannot be found out.
bool url_exists(const std::string& url);

// Whether this HTSlib reads URLs.
bool reads_urls();

}  // namespace basesweep
