#include "lib/writer/bgzf_block.hpp"

#include <htslib/bgzf.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

// A gzip member whose extra field BC has the size of the block less one (SAM specification, 4.1).
constexpr std::array<unsigned char, 16> kHead{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0};
constexpr std::size_t kHeadBytes = kHead.size() + 2;
constexpr std::size_t kTailBytes = 8;  // CRC-32 and the size of the text

constexpr std::size_t kLeastForIsal = 64;  // bytes of text, for which ISA-L's table has more than kFewestPlaces
constexpr std::uint32_t kFewestPlaces = 64;

// The same text makes the same block, wherever the memory of the thread lies. ISA-L does not promise that: its code for
// x86-64 enters position 2 of a text, the third, in the table of places by a hash of bits 16 to 47 of the stream's
// address, where those of the text were meant (.write_first_byte of igzip_icf_body_h1_gr_bt.asm, 2.30 to 2.32). Where
// that is by chance the place of position 0, 1 or 2, other matches are found. So the stream is put where it is not:
// four addresses have four hashes, and at least one of them differs from those of the three positions.
class LevelOne {
 public:
  LevelOne() {
    // With an address that kSlots * kSlot divides, bits 16 and 17 are the number of the slot.
    void* start = room_.get();
    std::size_t size = kBytes + kSlots * kSlot;
    slots_ = static_cast<std::byte*>(std::align(kSlots * kSlot, kBytes, start, size));
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      const auto bits = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(slots_ + slot * kSlot) >> 16);
      places_[slot] = place_of(&bits);
    }
  }

  // For text of at least kLeastForIsal bytes.
  isal_zstream& stream_for(std::string_view text) {
    const std::array taken{place_of(text.data()), place_of(text.data() + 1), place_of(text.data() + 2)};
    std::size_t slot = 0;
    while (std::find(taken.begin(), taken.end(), places_[slot]) != taken.end()) ++slot;
    // ISA-L uses what the stream has from the block before, too.
    return *new (slots_ + slot * kSlot) isal_zstream{};
  }
  std::vector<std::uint8_t>& memory() { return memory_; }

 private:
  static constexpr std::size_t kSlots = 4;
  static constexpr std::size_t kSlot = 0x10000;  // the slots overlap, since one is used at a time
  static constexpr std::size_t kBytes = (kSlots - 1) * kSlot + sizeof(isal_zstream);

  // In a table of kFewestPlaces. If two places differ there, they differ in a larger one, which takes more bits of the
  // hash.
  static std::uint32_t place_of(const void* four_bytes) {
    // ISA-L reads these bytes, which are not const for historical reasons.
    auto* const bytes = static_cast<unsigned char*>(const_cast<void*>(four_bytes));
    return crc32_iscsi(bytes, 4, 0) % kFewestPlaces;
  }

  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
  const std::unique_ptr<std::byte[]> room_ = std::make_unique_for_overwrite<std::byte[]>(kBytes + kSlots * kSlot);
  std::byte* slots_ = nullptr;
  std::array<std::uint32_t, kSlots> places_{};
};

// Returns 0 for text that does not fit.
std::size_t compress_with_isal(std::string_view text, char* packed, std::size_t room) {
  auto& level_one = per_thread<LevelOne>();
  isal_zstream& stream = level_one.stream_for(text);
  std::vector<std::uint8_t>& memory = level_one.memory();
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
  if (level == 1 && text.size() >= kLeastForIsal) {
    if (const std::size_t size = compress_with_isal(text, packed, room); size != 0) return size;
  }
  std::size_t size = room;
  return bgzf_compress(packed, &size, text.data(), text.size(), level) == 0 ? size : 0;
}

}  // namespace basesweep
