// The file of a part: what `--chunk` writes and `merge` reads. It can be written to a pipe and read from one.
//
// All numbers are little-endian. The file begins with 64 bytes:
//
//     8 bytes    kPartMagic
//     4          number of this layout, kPartLayout; it and the version are at this place in all layouts
//     4          0
//     32         version of basesweep, filled up with zero bytes
//     8          0
//     8          checksum of these bytes
//
// Then come sections: the label and what else there is, and blocks of rows. Each begins with 64 bytes, its head:
//
//     8          name, filled up with zero bytes
//     8          number of the section, from 0
//     8          rows; 0: not a block of rows
//     8          bytes that follow the head: the content, compressed by zstd
//     8          bytes of the content
//     8          checksum of the compressed bytes
//     8          checksum of the head before, that of the file for the first section
//     8          checksum of this head
//
// The last section is kPartEnd; it has no content, and says how many rows all blocks have together. Checksums are
// CRC-64. Each head holds that of the head before, so the last one stands for all that was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/rows/row_block.hpp"

namespace basesweep {

inline constexpr std::string_view kPartMagic{
    "\x89"
    "BSP\r\n\x1a\n",
    8};
inline constexpr std::uint32_t kPartLayout = 2;
inline constexpr std::string_view kPartRows = "rows";  // the name of blocks of rows
inline constexpr std::string_view kPartEnd = "end";
inline constexpr std::size_t kMaxPartName = 8;                                  // bytes
inline constexpr std::uint64_t kMaxPartSection = (std::uint64_t{4} << 30) - 1;  // bytes; see kMaxBlockBytes for rows

struct PartFileHead {
  char magic[8];
  std::uint32_t layout;
  std::uint32_t unused;
  char version[32];
  std::uint64_t unused_too;
  std::uint64_t checksum;
};

struct PartSectionHead {
  char name[kMaxPartName];
  std::uint64_t number;
  std::uint64_t rows;
  std::uint64_t stored_bytes;
  std::uint64_t raw_bytes;
  std::uint64_t content_checksum;
  std::uint64_t previous;
  std::uint64_t checksum;
};

static_assert(sizeof(PartFileHead) == 64 && sizeof(PartSectionHead) == 64);

}  // namespace basesweep
