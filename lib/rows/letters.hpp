// Writes letters and numbers of output lines. Private to the formatters.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lib/base/iupac_letters.hpp"
#include "lib/search/strand.hpp"

namespace basesweep {

// Copies two blocks that may overlap, the first and the last of a text of `bytes` bytes.
template <class Block>
char* put_ends(char* to, const char* from, std::size_t bytes) {
  Block first;
  Block last;
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + bytes - sizeof last, sizeof last);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + bytes - sizeof last, &last, sizeof last);
  return to + bytes;
}

// The functions put...() write to `to` and return the place behind what they wrote.
//
// Names and letters are short, and a call of memmove takes longer than to copy them.
inline char* put(char* to, std::string_view text) {
  if (text.size() > 2 * sizeof(std::uint64_t)) return std::copy(text.begin(), text.end(), to);
  if (text.size() >= sizeof(std::uint64_t)) return put_ends<std::uint64_t>(to, text.data(), text.size());
  if (text.size() >= sizeof(std::uint32_t)) return put_ends<std::uint32_t>(to, text.data(), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) to[i] = text[i];
  return to + text.size();
}

inline constexpr auto kComplementLetters = [] {
  std::array<char, 256> letters{};
  for (std::size_t byte = 0; byte < letters.size(); ++byte) letters[byte] = complement_letter(static_cast<char>(byte));
  return letters;
}();

// Writes the reverse complement of eight letters if they are A, C, G and T only; returns whether they are. Bits 1 and 2
// tell these letters apart, so all eight are checked and turned at once.
inline bool put_eight_turned(char* to, const char* letters) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  std::uint64_t all;
  std::memcpy(&all, letters, sizeof all);
  const std::uint64_t low = all >> 1 & kOnes;
  const std::uint64_t high = all >> 2 & kOnes;
  constexpr std::uint64_t kToC = 'A' ^ 'C', kToT = 'A' ^ 'T', kToG = 'A' ^ 'C' ^ 'T' ^ 'G';
  if (all != (kOnes * 'A' ^ low * kToC ^ high * kToT ^ (low & high) * kToG)) return false;
  const std::uint64_t turned = __builtin_bswap64(all ^ kOnes * kToT ^ low * (kToT ^ 'C' ^ 'G'));
  std::memcpy(to, &turned, sizeof turned);
  return true;
}

// `letters`: of the forward strand; written reverse-complemented for strand -.
inline char* put_matched(char* to, std::string_view letters, Strand strand) {
  if (strand == Strand::plus) return put(to, letters);
  while (letters.size() >= 8 && put_eight_turned(to, letters.data() + letters.size() - 8)) {
    letters.remove_suffix(8);
    to += 8;
  }
  return std::transform(letters.rbegin(), letters.rend(), to,
                        [](char letter) { return kComplementLetters[static_cast<unsigned char>(letter)]; });
}

inline constexpr std::size_t kNumberDigits = 20;  // the most that a 64-bit integer takes, with its sign

// The 8 digits of a number below 10^8, one in each byte, the first digit in the lowest.
constexpr std::uint64_t eight_digits(std::uint32_t number) {
  // Each step divides all groups of digits at once: by 10^4, 100 and 10.
  const std::uint64_t fours = number / 10'000 | std::uint64_t{number % 10'000} << 32;
  const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000'007f'0000'007f;  // 10486 / 2^20 is 1 / 100
  const std::uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
  const std::uint64_t tens = (twos * 103 >> 10) & 0x000f'000f'000f'000f;  // 103 / 2^10 is 1 / 10
  return tens | (twos - 10 * tens) << 8;
}

inline constexpr std::uint32_t kEightDigits = 100'000'000;
inline constexpr std::uint64_t kEightZeros = 0x3030'3030'3030'3030;  // letters '0'
static_assert(std::endian::native == std::endian::little);

// `number`: below kEightDigits.
inline char* put_small(char* to, std::uint32_t number) {
  if (number < 10) {
    *to = static_cast<char>('0' + number);
    return to + 1;
  }
  const std::uint64_t digits = eight_digits(number);
  const int leading = std::countr_zero(digits) / 8;  // zeros
  const std::uint64_t letters = (digits | kEightZeros) >> (8 * leading);
  std::memcpy(to, &letters, sizeof letters);
  return to + sizeof letters - leading;
}

// `number`: kEightDigits or more.
inline char* put_large(char* to, std::uint64_t number) {
  const std::uint64_t higher = number / kEightDigits;
  to = higher < kEightDigits ? put_small(to, static_cast<std::uint32_t>(higher)) : put_large(to, higher);
  const std::uint64_t letters = eight_digits(static_cast<std::uint32_t>(number % kEightDigits)) | kEightZeros;
  std::memcpy(to, &letters, sizeof letters);
  return to + sizeof letters;
}

// Needs room for kNumberDigits, however short the number is.
inline char* put(char* to, std::int64_t number) {
  const auto size = number < 0 ? -static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  if (number < 0) *to++ = '-';
  return size < kEightDigits ? put_small(to, static_cast<std::uint32_t>(size)) : put_large(to, size);
}

}  // namespace basesweep
