// Vectors of bytes, as wide as the instruction set that the source is being compiled for.
#pragma once

#include <cstdint>

#include "lib/base/vector_instructions.hpp"

namespace basesweep::BASESWEEP_ISA {

#if defined(__AVX512BW__)

using Bytes = __m512i;
inline constexpr int kBytes = 64;

inline Bytes load_bytes(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
inline void store_bytes(std::uint8_t* to, Bytes bytes) { _mm512_storeu_si512(to, bytes); }
// `value` where the bit is set, else 0.
inline Bytes where(std::uint64_t bits, char value) { return _mm512_maskz_set1_epi8(bits, value); }
inline Bytes bytes_or(Bytes a, Bytes b) { return _mm512_or_si512(a, b); }
// 16 bytes, repeated.
inline Bytes load_table(const std::uint8_t* table) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
}
inline Bytes look_up(Bytes table, Bytes codes) { return _mm512_shuffle_epi8(table, codes); }
inline Bytes add_saturated(Bytes a, Bytes b) { return _mm512_adds_epu8(a, b); }
inline std::uint64_t below_255(Bytes bytes) { return _mm512_cmpneq_epu8_mask(bytes, _mm512_set1_epi8(-1)); }
inline Bytes least(Bytes a, Bytes b) { return _mm512_min_epu8(a, b); }

#elif defined(__AVX2__)

using Bytes = __m256i;
inline constexpr int kBytes = 32;

inline Bytes load_bytes(const std::uint8_t* from) { return _mm256_loadu_si256(reinterpret_cast<const Bytes*>(from)); }
inline void store_bytes(std::uint8_t* to, Bytes bytes) { _mm256_storeu_si256(reinterpret_cast<Bytes*>(to), bytes); }
inline Bytes where(std::uint64_t bits, char value) {
  const Bytes bytes = _mm256_shuffle_epi8(
      _mm256_set1_epi32(static_cast<int>(bits)),
      _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3));
  const Bytes bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit), _mm256_set1_epi8(value));
}
inline Bytes bytes_or(Bytes a, Bytes b) { return _mm256_or_si256(a, b); }
inline Bytes load_table(const std::uint8_t* table) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
}
inline Bytes look_up(Bytes table, Bytes codes) { return _mm256_shuffle_epi8(table, codes); }
inline Bytes add_saturated(Bytes a, Bytes b) { return _mm256_adds_epu8(a, b); }
inline std::uint64_t below_255(Bytes bytes) {
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(-1))));
}
inline Bytes least(Bytes a, Bytes b) { return _mm256_min_epu8(a, b); }

#elif defined(__ARM_NEON)

using Bytes = uint8x16_t;
inline constexpr int kBytes = 16;

inline Bytes load_bytes(const std::uint8_t* from) { return vld1q_u8(from); }
inline void store_bytes(std::uint8_t* to, Bytes bytes) { vst1q_u8(to, bytes); }
inline Bytes where(std::uint64_t bits, char value) {
  const Bytes bytes =
      vcombine_u8(vdup_n_u8(static_cast<std::uint8_t>(bits)), vdup_n_u8(static_cast<std::uint8_t>(bits >> 8)));
  const Bytes bit{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  return vandq_u8(vtstq_u8(bytes, bit), vdupq_n_u8(static_cast<std::uint8_t>(value)));
}
inline Bytes bytes_or(Bytes a, Bytes b) { return vorrq_u8(a, b); }
inline Bytes load_table(const std::uint8_t* table) { return load_bytes(table); }
inline Bytes look_up(Bytes table, Bytes codes) { return vqtbl1q_u8(table, codes); }
inline Bytes add_saturated(Bytes a, Bytes b) { return vqaddq_u8(a, b); }
inline std::uint64_t below_255(Bytes bytes) {
  const Bytes bit{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const Bytes bits = vandq_u8(vcltq_u8(bytes, vdupq_n_u8(255)), bit);
  const uint8x8_t pairs = vpadd_u8(vget_low_u8(bits), vget_high_u8(bits));
  const uint8x8_t fours = vpadd_u8(pairs, pairs);
  return vget_lane_u16(vreinterpret_u16_u8(vpadd_u8(fours, fours)), 0);
}
inline Bytes least(Bytes a, Bytes b) { return vminq_u8(a, b); }

#else

using Bytes = __m128i;
inline constexpr int kBytes = 16;

inline Bytes load_bytes(const std::uint8_t* from) { return _mm_loadu_si128(reinterpret_cast<const Bytes*>(from)); }
inline void store_bytes(std::uint8_t* to, Bytes bytes) { _mm_storeu_si128(reinterpret_cast<Bytes*>(to), bytes); }
inline Bytes where(std::uint64_t bits, char value) {
  const Bytes bytes = _mm_shuffle_epi8(_mm_set1_epi16(static_cast<short>(bits)),
                                       _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  const Bytes bit = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  return _mm_and_si128(_mm_cmpeq_epi8(_mm_and_si128(bytes, bit), bit), _mm_set1_epi8(value));
}
inline Bytes bytes_or(Bytes a, Bytes b) { return _mm_or_si128(a, b); }
inline Bytes load_table(const std::uint8_t* table) { return load_bytes(table); }
inline Bytes look_up(Bytes table, Bytes codes) { return _mm_shuffle_epi8(table, codes); }
inline Bytes add_saturated(Bytes a, Bytes b) { return _mm_adds_epu8(a, b); }
inline std::uint64_t below_255(Bytes bytes) {
  return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(-1)))) & 0xFFFF;
}
inline Bytes least(Bytes a, Bytes b) { return _mm_min_epu8(a, b); }

#endif

// Returns whether all bytes of the four vectors are 255.
inline bool all_dead(const Bytes* sums) {
  return below_255(least(least(sums[0], sums[1]), least(sums[2], sums[3]))) == 0;
}

// Writes a bit for each byte of the four vectors, 1 if it is below 255, in words of 64. Returns the OR of the words.
inline std::uint64_t put_alive(const Bytes* sums, std::uint64_t* words) {
  std::uint64_t any = 0;
  for (int i = 0; i < 4; i += 64 / kBytes) {
    std::uint64_t word = 0;
    for (int v = 0; v < 64 / kBytes; ++v) word |= (below_255(sums[i + v]) & (~0ULL >> (64 - kBytes))) << (v * kBytes);
    *words++ = word;
    any |= word;
  }
  return any;
}

}  // namespace basesweep::BASESWEEP_ISA
