#include "lib/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "lib/base/stream_names.hpp"
#include "lib/base/utf8.hpp"

namespace basesweep {
namespace {

// The words for a code of the system. HTSlib returns such codes for URLs too, where some mean something else.
std::string words_of(const std::string& path, int code) {
  if (is_url(path)) {
    switch (code) {
      case EPIPE: return "the connection ended before the file did";
      case ESPIPE: return "the server did not send the range of bytes that it was asked for";
      case EDESTADDRREQ: return "the server's name cannot be resolved";
      case ENOENT: return "the server has no such file";
      case EPERM:
      case EACCES: return "the server does not allow it";
      case EINVAL: return "the server refuses the request, as with status 400 or 429, or the URL is malformed";
      case EIO:
        return "the transfer failed: an error of the server, as with status 500, a certificate that is not trusted, or "
               "no such file (FTP)";
      case EBUSY: return "the server is busy (status 503)";
      case ECONNABORTED: return "no secure connection could be made";
      case EPROTONOSUPPORT:
        return "HTSlib was built without libcurl, or lacks its plugin, so that it reads no such URLs";
      default: break;
    }
  }
  return std::strerror(code);
}

}  // namespace

Error::Error(int exit_code, const std::string& message)
    : std::runtime_error(printable(message)), exit_code_(exit_code) {}

IoError::IoError(const std::string& path, const std::string& what, int code)
    : Error(kExitIo, code == 0 ? fmt::format("{}: {}", path, what)
                               : fmt::format("{}: {}: {}", path, what, words_of(path, code))) {}

std::string printable(char byte) {
  if (byte == ' ') return "a blank";
  if (byte == '\t') return "a tab";
  const auto value = static_cast<unsigned char>(byte);
  return value > 0x20 && value < 0x7f ? fmt::format("'{}'", byte) : fmt::format("byte 0x{:02x}", value);
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    std::size_t bytes = utf8_bytes(text);
    const auto value = static_cast<unsigned char>(text.front());
    const bool folds = value == '\n' && text.substr(1).starts_with("  ");
    // In UTF-8 the control characters 0x80 to 0x9f are 0xc2 and one byte more.
    const bool c1 = value == 0xc2 && bytes == 2 && static_cast<unsigned char>(text[1]) < 0xa0;
    if (folds || (bytes != 0 && value >= 0x20 && value != 0x7f && !c1)) {
      shown += text.substr(0, bytes);
    } else {
      bytes = 1;
      if (value == '\n' || value == '\t' || value == '\r') {
        shown += value == '\n' ? "\\n" : value == '\t' ? "\\t" : "\\r";
      } else {
        shown += fmt::format("\\x{:02x}", value);
      }
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace basesweep
