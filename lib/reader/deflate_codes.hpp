// The Huffman codes of a deflate block (RFC 1951, section 3.2). Private to the reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/reader/deflate_bits.hpp"

namespace basesweep {

enum class CodesFound { yes, no, input_ends };

// Tables that decode symbols. Only codes that every compressor writes are taken: complete ones, and for distances none
// or a single one of one bit. Other codes are left to ISA-L, which may accept them.
class DeflateCodes {
 public:
  static constexpr unsigned kLetterBits = 10;   // of the first table of letters and lengths
  static constexpr unsigned kDistanceBits = 8;  // of the first table of distances

  // Entries of the tables. The lowest byte is the number of bits to drop, the next one how many of them are codes; the
  // rest of them is added to a length or distance. So one shift leads from an entry to the next one.

  // Up to three letters, which a length may follow. They are the highest bytes but one, so that these can be stored as
  // text.
  struct Letters {
    std::uint64_t entry;

    enum Kind : unsigned { letters, length, end, table, invalid };
    static constexpr unsigned kKindAt = 58;
    unsigned bits() const { return entry & 63; }
    unsigned code_bits() const { return entry >> 8 & 63; }  // of a table: of its index
    unsigned base() const { return entry >> 16 & 0xffff; }  // of a length; of a table: its place
    std::uint32_t text() const { return static_cast<std::uint32_t>(entry >> 32); }
    unsigned count() const { return entry >> 56 & 3; }  // of letters
    Kind kind() const { return static_cast<Kind>(entry >> kKindAt); }
    bool are_letters() const { return entry >> kKindAt == letters; }
    // `from`: the bits that the entry was found by.
    unsigned length_from(std::uint64_t from) const {
      return base() + static_cast<unsigned>((from & ((std::uint64_t{1} << bits()) - 1)) >> code_bits());
    }
  };
  struct Distance {
    std::uint32_t entry;

    static constexpr std::uint32_t kTable = 1U << 14, kInvalid = 1U << 15;
    unsigned bits() const { return entry & 63; }
    unsigned code_bits() const { return entry >> 8 & 63; }
    unsigned base() const { return entry >> 16; }
    bool is_table() const { return (entry & kTable) != 0; }
    bool is_invalid() const { return (entry & kInvalid) != 0; }
    std::size_t distance_from(std::uint64_t from) const {
      return base() + ((from & ((std::uint64_t{1} << bits()) - 1)) >> code_bits());
    }
  };

  // Reads the lengths of the codes, which follow the three first bits of a dynamic block.
  CodesFound read(DeflateBits& bits);
  // The same, but makes no tables.
  static CodesFound check(DeflateBits& bits);
  // The codes of a block that has no own.
  void set_fixed();

  Letters letters(std::uint64_t bits) const { return {letters_[bits & ((1U << kLetterBits) - 1)]}; }
  Letters letters(Letters table, std::uint64_t bits) const {
    return {letters_[table.base() + (bits >> kLetterBits & ((1U << table.code_bits()) - 1))]};
  }
  Distance distance(std::uint64_t bits) const { return {distances_[bits & ((1U << kDistanceBits) - 1)]}; }
  Distance distance(Distance table, std::uint64_t bits) const {
    return {distances_[table.base() + (bits >> kDistanceBits & ((1U << table.code_bits()) - 1))]};
  }

 private:
  static constexpr std::size_t kLetterRoom = (1U << kLetterBits) + 1024;
  static constexpr std::size_t kDistanceRoom = (1U << kDistanceBits) + 512;

  bool make_letters(std::span<const std::uint8_t> lengths);
  bool make_distances(std::span<const std::uint8_t> lengths);
  void join_letters();

  std::array<std::uint64_t, kLetterRoom> letters_;
  std::array<std::uint32_t, kDistanceRoom> distances_;
};

}  // namespace basesweep
