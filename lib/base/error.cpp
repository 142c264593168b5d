#include "lib/base/error.hpp"

#include <fmt/format.h>

#include <cstring>

namespace basesweep {

IoError::IoError(const std::string& path, const std::string& what, int code)
    : Error(kExitIo, code == 0 ? fmt::format("{}: {}", path, what)
                               : fmt::format("{}: {}: {}", path, what, std::strerror(code))) {}

std::string printable(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value > 0x20 && value < 0x7f ? fmt::format("'{}'", byte) : fmt::format("byte 0x{:02x}", value);
}

}  // namespace basesweep
