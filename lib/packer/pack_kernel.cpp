// Compiled once for each instruction set, with BASESWEEP_ISA naming it. Nothing of the standard library that could be
// instantiated here may be used: the linker might keep this copy of it for callers on older processors.
#include "lib/packer/pack_kernel.hpp"

#include "lib/base/vector_instructions.hpp"
#include "lib/packer/byte_masks.hpp"

namespace basesweep::BASESWEEP_ISA {
namespace {

// Appends the low `count` bits of lo and hi; the bits above must be 0. Works on copies of the target's counters, which
// compilers can keep in registers, until flush().
struct Appender {
  PackTarget& target;
  std::uint32_t positions;
  std::uint64_t lo;
  std::uint64_t hi;

  explicit Appender(PackTarget& t) : target(t), positions(t.positions), lo(t.lo_partial), hi(t.hi_partial) {}
  void flush() {
    target.positions = positions;
    target.lo_partial = lo;
    target.hi_partial = hi;
  }
  void append(std::uint64_t lo_bits, std::uint64_t hi_bits, unsigned count) {
    const unsigned used = positions % 64;
    lo |= lo_bits << used;
    hi |= hi_bits << used;
    if (used + count >= 64) {
      target.lo[positions / 64] = lo;
      target.hi[positions / 64] = hi;
      lo = used == 0 ? 0 : lo_bits >> (64 - used);
      hi = used == 0 ? 0 : hi_bits >> (64 - used);
    }
    positions += count;
  }
};

bool may_stand_in_sequence(char c) {
  const char upper = static_cast<char>(c & ~0x20);
  return (upper >= 'A' && upper <= 'Z') || c == '-' || c == '*' || c == '.';
}

// The bytes among `special` (neither base nor line break) that stand for an unknown base. Sets `stop` to the first byte
// that must not be in sequence, and looks no further.
std::uint64_t unknown_bases(const char* text, std::uint64_t special, unsigned& stop) {
  std::uint64_t unknown = 0;
  for (; special != 0; special &= special - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(special));
    if (!may_stand_in_sequence(text[i])) {
      stop = i;
      return unknown;
    }
    unknown |= std::uint64_t{1} << i;
  }
  return unknown;
}

// The planes of 64 bases from 16 bytes of codes. A code's low bit is that of the base here; its high bit tells T and C
// from A and G, so that the base's high bit is set where both bits are equal.
struct Planes {
  std::uint64_t lo, hi;
};
// The tables hold, for the 4 bits of two bases, their low bits as bits 0 and 1 and their high bits as bits 4 and 5; the
// base in the higher bits first.
#if defined(__ARM_NEON)
std::uint64_t join_nibbles(uint8x16_t nibbles) {
  const uint16x8_t pairs = vreinterpretq_u16_u8(nibbles);
  return vget_lane_u64(vreinterpret_u64_u8(vmovn_u16(vsraq_n_u16(pairs, pairs, 4))), 0);
}
Planes planes_of(const char* codes) {
  const uint8x16_t first_two{0x30, 0x12, 0x10, 0x32, 0x21, 0x03, 0x01, 0x23,
                             0x20, 0x02, 0x00, 0x22, 0x31, 0x13, 0x11, 0x33};
  const uint8x16_t last_two = vshlq_n_u8(first_two, 2);
  const uint8x16_t nibble = vdupq_n_u8(0x0f);
  const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const std::uint8_t*>(codes));
  const uint8x16_t both =
      vorrq_u8(vqtbl1q_u8(first_two, vshrq_n_u8(bytes, 4)), vqtbl1q_u8(last_two, vandq_u8(bytes, nibble)));
  return {join_nibbles(vandq_u8(both, nibble)), join_nibbles(vshrq_n_u8(both, 4))};
}
#else
Planes planes_of(const char* codes) {
  const __m128i first_two =
      _mm_setr_epi8(0x30, 0x12, 0x10, 0x32, 0x21, 0x03, 0x01, 0x23, 0x20, 0x02, 0x00, 0x22, 0x31, 0x13, 0x11, 0x33);
  const __m128i last_two = _mm_slli_epi16(first_two, 2);
  const __m128i nibble = _mm_set1_epi8(0x0f);
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes));
  const __m128i both = _mm_or_si128(_mm_shuffle_epi8(first_two, _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble)),
                                    _mm_shuffle_epi8(last_two, _mm_and_si128(bytes, nibble)));
  const __m128i lo = _mm_and_si128(both, nibble);
  const __m128i hi = _mm_and_si128(_mm_srli_epi16(both, 4), nibble);
  const __m128i join = _mm_set1_epi16(0x1001);  // 1 x the first byte + 16 x the second
  const __m128i joined = _mm_packus_epi16(_mm_maddubs_epi16(lo, join), _mm_maddubs_epi16(hi, join));
  return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(joined)),
          static_cast<std::uint64_t>(_mm_extract_epi64(joined, 1))};
}
#endif

}  // namespace

void pack_codes(const char* codes, std::uint32_t bases, PackTarget& target) {
  Appender out(target);
  for (; bases >= 64; bases -= 64, codes += 16) {
    const Planes planes = planes_of(codes);
    out.append(planes.lo, planes.hi, 64);
  }
  if (bases != 0) {
    const Planes planes = planes_of(codes);
    const std::uint64_t inside = (std::uint64_t{1} << bases) - 1;
    out.append(planes.lo & inside, planes.hi & inside, bases);
  }
  out.flush();
}

const char* pack(const char* text, const char* end, const char* readable, PackTarget& target) {
  Appender out(target);
  char tail[64];
  while (text < end) {
    const auto left = static_cast<std::uint64_t>(end - text);
    const std::uint64_t inside = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    const char* bytes = text;
    if (readable - text < 64) {
      __builtin_memset(tail, '\n', sizeof tail);
      __builtin_memcpy(tail, text, left);
      bytes = tail;
    }
    const ByteMasks masks = ByteMasks::from(bytes);
    const std::uint64_t acgt = masks.is_acgtu() & inside;
    const std::uint64_t lo = masks.bit<1>();
    const std::uint64_t hi = masks.bit<2>();
    std::uint64_t keep = acgt;
    unsigned stop = 64;
    if (acgt != ~std::uint64_t{0}) {
      const std::uint64_t breaks = masks.is('\n') | masks.is('\r');
      const std::uint64_t special = inside & ~(acgt | breaks);
      if (special != 0) {
        const std::uint64_t unknown = unknown_bases(bytes, special, stop);
        keep |= unknown;
        if (stop < 64) keep &= (std::uint64_t{1} << stop) - 1;
        if (unknown != 0) {
          target.not_acgt->add(out.positions, compress_bits(unknown, keep));
          const std::uint64_t n = (masks.is('N') | masks.is('n')) & keep;
          target.n_letters += static_cast<std::uint32_t>(__builtin_popcountll(n));
        }
      }
    }
    if (target.soft_masked != nullptr) {
      const std::uint64_t lower = compress_bits(masks.bit<5>() & masks.bit<6>(), keep);  // letters only
      if (lower != 0) target.soft_masked->add(out.positions, lower);
    }
    out.append(compress_bits(lo, keep), compress_bits(hi, keep), static_cast<unsigned>(__builtin_popcountll(keep)));
    if (stop < 64) {
      out.flush();
      return text + stop;
    }
    text += 64;
  }
  out.flush();
  return end;
}

}  // namespace basesweep::BASESWEEP_ISA
