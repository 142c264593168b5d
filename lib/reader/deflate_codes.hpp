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
// or a single one of one bit. What else ISA-L may accept is left to ISA-L.
class DeflateCodes {
 public:
  static constexpr unsigned kLetterBits = 11;   // of the first table of letters and lengths
  static constexpr unsigned kDistanceBits = 8;  // of the first table of distances

  // An entry of the table of letters and lengths. The lowest 24 bits hold up to three letters, so that the entry itself
  // can be stored as text.
  struct Letters {
    std::uint64_t entry;

    enum Kind : unsigned { letters, length, end, table, invalid };
    unsigned bits() const { return static_cast<unsigned>(entry >> 48) & 31; }  // to drop
    unsigned count() const { return static_cast<unsigned>(entry >> 53) & 3; }  // of letters
    Kind kind() const { return static_cast<Kind>(entry >> 56); }
    bool are_letters() const { return entry >> 56 == letters; }
    // A length: its base, and how many bits to add follow. A table: its place, and the bits of its index.
    unsigned base() const { return static_cast<unsigned>(entry & 0xffff); }
    unsigned extra() const { return static_cast<unsigned>(entry >> 16) & 0xffff; }
  };
  struct Distance {
    std::uint32_t entry;

    unsigned bits() const { return entry >> 20 & 31; }   // to drop
    unsigned extra() const { return entry >> 16 & 15; }  // bits to add to the base; or of a table's index
    unsigned base() const { return entry & 0xffff; }
    bool is_table() const { return (entry >> 25 & 1) != 0; }
    bool is_invalid() const { return (entry >> 26 & 1) != 0; }
  };

  // Reads the lengths of the codes, which follow the three first bits of a dynamic block.
  CodesFound read(DeflateBits& bits);
  // The same, but makes no tables.
  static CodesFound check(DeflateBits& bits);
  // The codes of a block that has no own.
  void set_fixed();

  Letters letters(std::uint64_t bits) const { return {letters_[bits & ((1U << kLetterBits) - 1)]}; }
  Letters letters(Letters table, std::uint64_t bits) const {
    return {letters_[table.base() + (bits >> kLetterBits & ((1U << table.extra()) - 1))]};
  }
  Distance distance(std::uint64_t bits) const { return {distances_[bits & ((1U << kDistanceBits) - 1)]}; }
  Distance distance(Distance table, std::uint64_t bits) const {
    return {distances_[table.base() + (bits >> kDistanceBits & ((1U << table.extra()) - 1))]};
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
