// The bits of deflate data. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace basesweep {

// Reads bits, the least significant of a byte first. Positions are in bits, from the begin of the bytes.
class DeflateBits {
 public:
  // So many bytes of 0 must stand behind the bytes that are read.
  static constexpr std::size_t kPadding = 64;

  // `bytes` must be followed by kPadding bytes of 0.
  DeflateBits(std::span<const std::uint8_t> bytes, std::uint64_t position)
      : begin_(bytes.data()), end_(bytes.data() + bytes.size()) {
    seek(position);
  }

  // `position`: at most that of the end.
  void seek(std::uint64_t position) {
    at_ = begin_ + position / 8;
    bits_ = 0;
    count_ = 0;
    refill();
    drop(position % 8);
  }
  // Makes at least 56 bits available, zeros behind the end.
  void refill() {
    std::uint64_t next;
    std::memcpy(&next, at_, sizeof next);
    bits_ |= next << count_;
    at_ += (63 - count_) >> 3;
    count_ |= 56;
    if (at_ > end_ + 8) [[unlikely]] {
      // Bits behind the end do not count; the position stays behind it.
      at_ = end_ + 8;
    }
  }
  // The next bits, of which 56 are right after refill().
  std::uint64_t bits() const { return bits_; }
  void drop(unsigned count) {
    bits_ >>= count;
    count_ -= count;
  }
  // The next `count` bits, which must be there; drops them.
  unsigned take(unsigned count) {
    const auto taken = static_cast<unsigned>(bits_ & ((std::uint64_t{1} << count) - 1));
    drop(count);
    return taken;
  }

  std::uint64_t position() const { return static_cast<std::uint64_t>(at_ - begin_) * 8 - count_; }
  // Whether bits behind the end were taken.
  bool overrun() const { return position() > static_cast<std::uint64_t>(end_ - begin_) * 8; }
  // Whether the next 16 bytes that refill() reads lie before the end.
  bool far_from_end() const { return end_ - at_ >= 32; }

 private:
  const std::uint8_t* begin_;
  const std::uint8_t* end_;
  const std::uint8_t* at_ = nullptr;
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;  // of bits_, that are known
};

}  // namespace basesweep
