// 64 bytes of text as bit masks, bit i for byte i. For sources that are compiled once for each instruction set:
// everything here lies in the namespace that BASESWEEP_ISA names, so that no two instruction sets share a function.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace basesweep::BASESWEEP_ISA {

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
