// The step of `drk`, `drk-wom32` and `drk-wom64`, for the CPU and CUDA threads: the first class of fingerprints, F =
// the sum of code[i] 4^(m - 1 - i), computed for the first window and then rolled along one position at a time.
//
// The names are the paper's (sections 6.2 and 7.1): F; m, positions of a window; p, the prime; WOM, without modulo. A
// policy has the type Fingerprint for F, append(F, number, count), which takes in `count` (up to 16) positions as one
// number in base 4, roll(F, left, joined), which gets the codes of the bases that leave and join, and value(F), which
// is what is compared.
#pragma once

#include <cstdint>

#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep::drk {

// F modulo p. Between the steps F is any number with the same remainder, at most a little above p.
class Modulo {
 public:
  using Fingerprint = std::uint32_t;

  // p < 2^(31 - 2), so that a step stays within 32 bits. Modulo p, 4 has the largest order that a square can have.
  static constexpr std::uint32_t kPrime = (1U << 29) - 3;

  explicit Modulo(std::uint32_t m) {
    std::uint32_t power = 1;  // 4^m, by squaring
    for (int bit = 31; bit >= 0; --bit) {
      power = static_cast<std::uint32_t>(std::uint64_t{power} * power % kPrime);
      if ((m >> bit & 1) != 0) power = static_cast<std::uint32_t>(std::uint64_t{power} * 4 % kPrime);
    }
    leaves_ = kPrime - power;
  }

  BASESWEEP_HD Fingerprint append(Fingerprint F, std::uint32_t number, std::uint32_t count) const {
    const std::uint64_t longer = std::uint64_t{F} << 2 * count | number;       // below 2^62
    const std::uint64_t folded = (longer & kMask) + 3 * (longer >> 29);        // below 2^35
    return static_cast<std::uint32_t>((folded & kMask) + 3 * (folded >> 29));  // below 2^29 + 192
  }
  // F is below 2^31 + 2^30.6 before it is folded, below 2^29 + 24 afterwards.
  BASESWEEP_HD Fingerprint roll(Fingerprint F, std::uint32_t left, std::uint32_t joined) const {
    const std::uint32_t next = 4 * F + joined + left * leaves_;
    return (next & kMask) + 3 * (next >> 29);
  }
  // The smaller of F and F - p, which wraps around where F < p.
  BASESWEEP_HD static constexpr Fingerprint value(Fingerprint F) { return F < F - kPrime ? F : F - kPrime; }

 private:
  static constexpr std::uint32_t kMask = (1U << 29) - 1;  // the remainder of 2^29 is 3

  std::uint32_t leaves_;  // -4^m modulo p: the base that leaves adds this times its code
};

// F without modulo, in a word that holds m bases: DRK-WOM.
template <class Word>
class WithoutModulo {
 public:
  using Fingerprint = Word;
  static constexpr std::uint32_t kMaxBases = 4 * sizeof(Word);

  explicit WithoutModulo(std::uint32_t m) : mask_(static_cast<Word>(~Word{0}) >> 2 * (kMaxBases - m)) {}

  BASESWEEP_HD Fingerprint append(Fingerprint F, std::uint32_t number, std::uint32_t count) const {
    return static_cast<Word>(std::uint64_t{F} << 2 * count | number) & mask_;
  }
  BASESWEEP_HD Fingerprint roll(Fingerprint F, std::uint32_t /*left*/, std::uint32_t joined) const {
    return (F << 2 | joined) & mask_;
  }
  BASESWEEP_HD static constexpr Fingerprint value(Fingerprint F) { return F; }

 private:
  Word mask_;
};

BASESWEEP_HD std::uint32_t reverse_bits(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return __brev(x);
#else
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
#endif
}

// 32 positions of the planes as a number in base 4, the first position highest.
BASESWEEP_HD std::uint64_t number_of(std::uint32_t lo, std::uint32_t hi) {
  return codes(reverse_bits(lo), reverse_bits(hi));
}

// F of the first m positions, taken in 16 at a time: number(c) is the number of positions [c, c + 16).
template <class Policy, class Number>
BASESWEEP_HD typename Policy::Fingerprint first_fingerprint(const Policy& policy, std::uint32_t m, Number number) {
  typename Policy::Fingerprint F = 0;
  std::uint32_t c = 0;
  for (; c + 16 <= m; c += 16) F = policy.append(F, number(c), 16);
  return c == m ? F : policy.append(F, number(c) >> 2 * (16 - (m - c)), m - c);
}

}  // namespace basesweep::drk
