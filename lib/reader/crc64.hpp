// A checksum for large files, which runs about as fast as memory is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace basesweep {

// CRC-64 (ECMA-182) of bytes that follow those with the checksum `before`.
std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before = 0);

}  // namespace basesweep
