// 64 bytes of text as bit masks, bit i for byte i. For sources that are compiled once for each instruction set:
// everything here lies in the namespace that BASESWEEP_ISA names, so that no two instruction sets share a function.
#pragma once

#include <cstdint>

#include "lib/base/vector_instructions.hpp"

namespace basesweep::BASESWEEP_ISA {

#if defined(__ARM_NEON)

// 64 bytes of text in four vectors, of which vector k has bytes k, k + 4, k + 8 ... of the text. NEON has no
// instruction that collects a bit of each byte. In this order four shifts bring the bits of four bytes together, and a
// fifth those of eight.
//
// Instructions a base of pack(), counted by a plugin of qemu-user 7.2, 2026-11-29: 2.8 for FASTA with lines of 60, 1.4
// for one line, 3.8 with soft masking, 3.6 with one N in 100. With the code for SSE4.2, whose instructions SIMDe 0.7.4
// writes in NEON, they were 5.1, 2.8, 7.1 and 6.4.
struct ByteMasks {
  uint8x16x4_t part;

  static ByteMasks from(const char* p) { return {vld4q_u8(reinterpret_cast<const std::uint8_t*>(p))}; }
  // The top bits of what the function makes of each vector.
  template <class F>
  std::uint64_t collect(F of_part) const {
    const uint8x16_t first_two = vsriq_n_u8(of_part(part.val[1]), of_part(part.val[0]), 1);
    const uint8x16_t last_two = vsriq_n_u8(of_part(part.val[3]), of_part(part.val[2]), 1);
    const uint8x16_t four = vsriq_n_u8(last_two, first_two, 2);
    const uint8x16_t twice = vsriq_n_u8(four, four, 4);
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(twice), 4)), 0);
  }
  // Bit n of each byte.
  template <int n>
  std::uint64_t bit() const {
    return collect([](uint8x16_t v) { return vshlq_n_u8(v, 7 - n); });
  }
  std::uint64_t is(char c) const {
    return collect([c](uint8x16_t v) { return vceqq_u8(v, vdupq_n_u8(static_cast<std::uint8_t>(c))); });
  }
  // A, C, G, T or U in either case. The table holds, at each letter's low four bits, the upper-case letter.
  std::uint64_t is_acgtu() const {
    const uint8x16_t table{0xFF, 'A', 0xFF, 'C', 'T', 'U', 0xFF, 'G', 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    return collect([table](uint8x16_t v) {
      return vceqq_u8(vqtbl1q_u8(table, vandq_u8(v, vdupq_n_u8(0x0F))), vandq_u8(v, vdupq_n_u8(0xDF)));
    });
  }
};

#else

#if defined(__AVX512BW__)
using ByteVector = __m512i;
inline ByteVector load(const char* p) { return _mm512_loadu_si512(p); }
inline std::uint64_t top_bits(ByteVector v) { return _mm512_movepi8_mask(v); }
template <int n>
ByteVector shift_left(ByteVector v) {
  return _mm512_slli_epi16(v, n);
}
inline std::uint64_t equal(ByteVector v, char c) { return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)); }
inline std::uint64_t is_acgtu(ByteVector v, __m128i table) {
  const __m512i expected = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), v);
  return _mm512_cmpeq_epi8_mask(expected, _mm512_and_si512(v, _mm512_set1_epi8(static_cast<char>(0xDF))));
}
#elif defined(__AVX2__)
using ByteVector = __m256i;
inline ByteVector load(const char* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline std::uint64_t top_bits(ByteVector v) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(v)); }
template <int n>
ByteVector shift_left(ByteVector v) {
  return _mm256_slli_epi16(v, n);
}
inline std::uint64_t equal(ByteVector v, char c) { return top_bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(c))); }
inline std::uint64_t is_acgtu(ByteVector v, __m128i table) {
  const __m256i expected = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), v);
  return top_bits(_mm256_cmpeq_epi8(expected, _mm256_and_si256(v, _mm256_set1_epi8(static_cast<char>(0xDF)))));
}
#else
using ByteVector = __m128i;
inline ByteVector load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline std::uint64_t top_bits(ByteVector v) { return static_cast<std::uint32_t>(_mm_movemask_epi8(v)); }
template <int n>
ByteVector shift_left(ByteVector v) {
  return _mm_slli_epi16(v, n);
}
inline std::uint64_t equal(ByteVector v, char c) { return top_bits(_mm_cmpeq_epi8(v, _mm_set1_epi8(c))); }
inline std::uint64_t is_acgtu(ByteVector v, __m128i table) {
  const __m128i expected = _mm_shuffle_epi8(table, v);
  return top_bits(_mm_cmpeq_epi8(expected, _mm_and_si128(v, _mm_set1_epi8(static_cast<char>(0xDF)))));
}
#endif

inline constexpr int kVectorBytes = sizeof(ByteVector);

// 64 bytes of text, in vectors.
struct ByteMasks {
  ByteVector part[64 / kVectorBytes];

  static ByteMasks from(const char* p) {
    ByteMasks masks;
    for (int i = 0; i < 64 / kVectorBytes; ++i) masks.part[i] = load(p + i * kVectorBytes);
    return masks;
  }
  template <class F>
  std::uint64_t collect(F mask_of_part) const {
    std::uint64_t mask = 0;
    for (int i = 0; i < 64 / kVectorBytes; ++i) mask |= mask_of_part(part[i]) << (i * kVectorBytes % 64);
    return mask;
  }
  // Bit n of each byte.
  template <int n>
  std::uint64_t bit() const {
    return collect([](ByteVector v) { return top_bits(shift_left<7 - n>(v)); });
  }
  std::uint64_t is(char c) const {
    return collect([c](ByteVector v) { return equal(v, c); });
  }
  // A, C, G, T or U in either case. The table holds, at each letter's low four bits, the upper-case letter.
  std::uint64_t is_acgtu() const {
    const __m128i table = _mm_setr_epi8(-1, 'A', -1, 'C', 'T', 'U', -1, 'G', -1, -1, -1, -1, -1, -1, -1, -1);
    return collect([table](ByteVector v) { return BASESWEEP_ISA::is_acgtu(v, table); });
  }
};

#endif

// The bits of `bits` where `keep` is set, moved together at the low end.
inline std::uint64_t compress_bits(std::uint64_t bits, std::uint64_t keep) {
#if defined(__BMI2__)
  return _pext_u64(bits, keep);
#else
  std::uint64_t result = 0;
  unsigned filled = 0;
  while (keep != 0) {  // a run of kept bits at a time
    const auto skip = static_cast<unsigned>(__builtin_ctzll(keep));
    keep >>= skip;
    bits >>= skip;
    const unsigned run = keep == ~std::uint64_t{0} ? 64U : static_cast<unsigned>(__builtin_ctzll(~keep));
    if (run == 64) return bits;
    result |= (bits & ((std::uint64_t{1} << run) - 1)) << filled;
    filled += run;
    keep >>= run;
    bits >>= run;
  }
  return result;
#endif
}

}  // namespace basesweep::BASESWEEP_ISA
