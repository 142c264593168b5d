// Stretches of reads as words of two bits a base.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/sixteen_bytes.hpp"

namespace basesweep {

// A sequence of up to half as many bases as the type has bits. Base i is in bits 2 i and 2 i + 1, see base_code(). A
// set of bases has bit 2 i for base i.
using ShortWord = std::uint64_t;
__extension__ using LongWord = unsigned __int128;

template <class Word>
inline constexpr std::size_t kBasesOfWord = 4 * sizeof(Word);

// The set of the first `bases` bases.
template <class Word>
constexpr Word first_bases(std::size_t bases) {
  constexpr Word kAll = ~Word{0} / 3;
  return bases >= kBasesOfWord<Word> ? kAll : kAll & ((Word{1} << (2 * bases)) - 1);
}
// All bits of the bases in a set.
template <class Word>
constexpr Word bits_of(Word set) {
  return set * 3;
}
// The set of the bases in which two words differ.
template <class Word>
constexpr Word differing(Word a, Word b) {
  const Word bits = a ^ b;
  return (bits | bits >> 1) & first_bases<Word>(kBasesOfWord<Word>);
}

constexpr int count_bases(ShortWord set) { return std::popcount(set); }
constexpr int count_bases(LongWord set) {
  return std::popcount(static_cast<ShortWord>(set)) + std::popcount(static_cast<ShortWord>(set >> 64));
}
// The first base of a set that is not empty.
constexpr std::size_t first_base(ShortWord set) { return static_cast<std::size_t>(std::countr_zero(set)) / 2; }
constexpr std::size_t first_base(LongWord set) {
  const auto low = static_cast<ShortWord>(set);
  return low != 0 ? first_base(low) : 32 + first_base(static_cast<ShortWord>(set >> 64));
}
// The number of equal bases at the end of two words of `bases` bases, which differ.
constexpr std::size_t equal_at_end(ShortWord a, ShortWord b, std::size_t bases) {
  return bases - 1 - (63 - static_cast<std::size_t>(std::countl_zero(a ^ b))) / 2;
}
constexpr std::size_t equal_at_end(LongWord a, LongWord b, std::size_t bases) {
  const auto high = static_cast<ShortWord>((a ^ b) >> 64);
  const std::size_t last = high != 0 ? 127 - static_cast<std::size_t>(std::countl_zero(high))
                                     : 63 - static_cast<std::size_t>(std::countl_zero(static_cast<ShortWord>(a ^ b)));
  return bases - 1 - last / 2;
}

// A word of A, C, G and T.
template <class Word>
Word word_of_bases(std::string_view bases) {
  Word word = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) word |= static_cast<Word>(base_code(bases[i])) << (2 * i);
  return word;
}

class PackedRead {
 public:
  // Packs bases [begin, end), and the next ones up to a whole word if the read has them, since 32 letters take less
  // time than the last few by themselves. Positions are those of the read.
  void pack(std::string_view read, std::size_t begin, std::size_t end) {
    begin_ = begin;
    size_ = read.size();
    end = std::min(read.size(), end + (begin - end) % 32);
    const std::size_t words = (end - begin) / 32 + kMore;
    if (words > codes_.size()) {
      codes_.resize(words);
      unknown_.resize(words);
    }
    const char* next = read.data() + begin;
    const char* const stop = read.data() + end;
    std::size_t i = 0;
    for (; next < stop; ++i) {
      const std::size_t letters = std::min<std::size_t>(32, static_cast<std::size_t>(stop - next));
      std::array<char, 32> filled;
      if (letters < 32) {
        filled.fill('A');  // its code is 0
        std::memcpy(filled.data(), next, letters);
      }
      unknown_[i] = 0;
      if (!pack_32(letters < 32 ? filled.data() : next, codes_[i])) pack_some(next, letters, codes_[i], unknown_[i]);
      next += letters;
    }
    for (; i < words; ++i) codes_[i] = unknown_[i] = 0;
  }

  // Bases of the whole read.
  std::size_t size() const { return size_; }
  // The `bases` bases from `begin` on; those that are not A, C, G, T or U have code 0 and are in the set of unknown
  // ones.
  template <class Word>
  Word bases(std::size_t begin, std::size_t bases) const {
    return cut<Word>(codes_, begin) & bits_of(first_bases<Word>(bases));
  }
  template <class Word>
  Word unknown(std::size_t begin, std::size_t bases) const {
    return cut<Word>(unknown_, begin) & first_bases<Word>(bases);
  }

 private:
  static constexpr std::size_t kMore = 4;  // words that cut() may look at behind the last base
  static constexpr std::array<std::uint8_t, 256> kLetters = [] {
    std::array<std::uint8_t, 256> letters{};
    letters.fill(4);
    for (const char c : {'A', 'C', 'G', 'T', 'U', 'a', 'c', 'g', 't', 'u'}) {
      letters[static_cast<unsigned char>(c)] = static_cast<std::uint8_t>(base_code(c));
    }
    return letters;
  }();

  // 255 for each letter that is A, C, G, T or U.
  static SixteenBytes are_bases(const char* letters) {
    const SixteenBytes bytes = load_16(letters) | 0x20;
    return reinterpret_cast<SixteenBytes>((bytes == 'a') | (bytes == 'c') | (bytes == 'g') | ((bytes | 1) == 'u'));
  }
  // Packs 32 letters. False if one of them is not A, C, G, T or U.
  static bool pack_32(const char* letters, ShortWord& codes) {
    static_assert(std::endian::native == std::endian::little);
    const auto halves = halves_of(are_bases(letters) & are_bases(letters + 16));
    if ((halves[0] & halves[1]) != ~std::uint64_t{0}) return false;
    codes = 0;
    for (std::size_t i = 0; i < 32; i += 8) {
      ShortWord eight;
      std::memcpy(&eight, letters + i, 8);
      eight = eight >> 1 & 0x0303030303030303U;  // see base_code()
      eight = (eight | eight >> 6) & 0x000f000f000f000fU;
      eight = (eight | eight >> 12) & 0x000000ff000000ffU;
      codes |= ((eight | eight >> 24) & 0xffffU) << (2 * i);
    }
    return true;
  }
  static void pack_some(const char* letters, std::size_t count, ShortWord& codes, ShortWord& unknown) {
    codes = unknown = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const ShortWord packed = kLetters[static_cast<unsigned char>(letters[i])];
      codes |= (packed & 3) << (2 * i);
      unknown |= (packed >> 2) << (2 * i);
    }
  }

  template <class Word>
  Word cut(const std::vector<ShortWord>& words, std::size_t begin) const {
    const std::size_t at = begin - begin_;
    const ShortWord* const word = words.data() + at / 32;
    const unsigned shift = 2 * (at % 32);
    const auto joined = [&](std::size_t i) { return word[i] >> shift | word[i + 1] << 1 << (63 - shift); };
    if constexpr (sizeof(Word) == sizeof(ShortWord)) return joined(0);
    return joined(0) | static_cast<Word>(joined(1)) << (8 * sizeof(Word) / 2);
  }

  std::vector<ShortWord> codes_;
  std::vector<ShortWord> unknown_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

}  // namespace basesweep
