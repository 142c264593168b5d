// The machine word of bit-parallel loops on the CPU: a vector of 64-bit lanes, as wide as the instruction set that the
// source is being compiled for (BASESWEEP_ISA names it and keeps the copies apart). GCC's vector extension gives it the
// operators of an integer, so a step written for uint32_t or uint64_t takes it too.
#pragma once

#include <cstdint>

#include "lib/base/vector_instructions.hpp"

namespace basesweep::BASESWEEP_ISA {

#if defined(__AVX512F__)
inline constexpr int kWordBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kWordBytes = 32;
#else
inline constexpr int kWordBytes = 16;
#endif

using Word = std::uint64_t __attribute__((vector_size(kWordBytes)));
inline constexpr int kLanes = kWordBytes / 8;

inline Word load_word(const std::uint64_t* p) {
  Word word;
  __builtin_memcpy(&word, p, sizeof word);
  return word;
}

inline void store_word(std::uint64_t* p, Word word) { __builtin_memcpy(p, &word, sizeof word); }

inline bool any(Word word) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(word), reinterpret_cast<__m512i>(word)) != 0;
#elif defined(__AVX2__)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(word), reinterpret_cast<__m256i>(word)) == 0;
#elif defined(__ARM_NEON)
  return (word[0] | word[1]) != 0;
#else
  return _mm_testz_si128(reinterpret_cast<__m128i>(word), reinterpret_cast<__m128i>(word)) == 0;
#endif
}

// Adds three bits at each place: `sum` becomes the sum, and the carry is returned.
inline Word add_bits(Word& sum, Word a, Word b) {
#if defined(__AVX512F__)
  const auto s = reinterpret_cast<__m512i>(sum);
  const auto x = reinterpret_cast<__m512i>(a);
  const auto y = reinterpret_cast<__m512i>(b);
  sum = reinterpret_cast<Word>(_mm512_ternarylogic_epi64(s, x, y, 0x96));
  return reinterpret_cast<Word>(_mm512_ternarylogic_epi64(s, x, y, 0xe8));
#else
  const Word one = a ^ b;
  const Word carry = (a & b) | (one & sum);
  sum ^= one;
  return carry;
#endif
}

// A word of the plane from position `positions` (any number) on: lane i begins with position 64 i + positions.
inline Word load_shifted(const std::uint64_t* plane, unsigned positions) {
  const std::uint64_t* p = plane + positions / 64;
  const unsigned shift = positions % 64;
  if (shift == 0) return load_word(p);
  return load_word(p) >> shift | load_word(p + 1) << (64 - shift);
}

}  // namespace basesweep::BASESWEEP_ISA
