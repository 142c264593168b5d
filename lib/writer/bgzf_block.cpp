#include "lib/writer/bgzf_block.hpp"

#include <htslib/bgzf.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

// A gzip member whose extra field BC has the size of the block less one (SAM specification, 4.1).
constexpr std::array<unsigned char, 16> kHead{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0};
constexpr std::size_t kHeadBytes = kHead.size() + 2;
constexpr std::size_t kTailBytes = 8;  // CRC-32 and the size of the text

struct LevelOne {
  isal_zstream stream{};
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
};

// Returns 0 for text that does not fit.
std::size_t compress_with_isal(std::string_view text, char* packed, std::size_t room) {
  auto& [stream, memory] = per_thread<LevelOne>();
  // ISA-L keeps what it knows of the block before, and may find other matches by it: about one block in 4,000 would
  // depend on which blocks the thread had compressed.
  std::memset(&stream, 0, sizeof stream);
  isal_deflate_stateless_init(&stream);
  stream.level = 1;
  stream.level_buf = memory.data();
  stream.level_buf_size = static_cast<std::uint32_t>(memory.size());
  stream.end_of_stream = 1;
  // ISA-L reads what next_in points to, which is not const for historical reasons.
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<std::uint32_t>(text.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(packed) + kHeadBytes;
  stream.avail_out = static_cast<std::uint32_t>(room - kHeadBytes - kTailBytes);
  if (isal_deflate_stateless(&stream) != COMP_OK) return 0;
  const std::size_t size = kHeadBytes + stream.total_out + kTailBytes;
  std::memcpy(packed, kHead.data(), kHead.size());
  put_integer(packed + kHead.size(), static_cast<std::uint16_t>(size - 1));
  const std::uint32_t crc = crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  put_integer(put_integer(packed + size - kTailBytes, crc), static_cast<std::uint32_t>(text.size()));
  return size;
}

}  // namespace

std::size_t compress_bgzf_block(std::string_view text, int level, char* packed, std::size_t room) {
  if (level == 1 && !text.empty()) {
    if (const std::size_t size = compress_with_isal(text, packed, room); size != 0) return size;
  }
  std::size_t size = room;
  return bgzf_compress(packed, &size, text.data(), text.size(), level) == 0 ? size : 0;
}

}  // namespace basesweep
