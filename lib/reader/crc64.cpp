#include "lib/reader/crc64.hpp"

#include <isa-l/crc64.h>

namespace basesweep {

std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before) {
  return ::crc64_ecma_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace basesweep
