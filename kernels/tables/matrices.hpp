// The second class of fingerprints of Karp and Rabin: products of 2 x 2 matrices modulo a prime, one for each code bit
// of the text (Ashkiani, Amenta, Owens 2016, sections 3.2 and 7.1). For the CPU and CUDA threads.
//
// A window's product K has determinant 1, so a matrix A undoes each step: positions are appended on the right by
// K(base) and dropped on the left by A(base).
//
//     K(0) = 1 0   K(1) = 1 1   A(0) =  1 0   A(1) = 1 -1   K(base) = K(high bit) K(low bit)
//            1 1          0 1          -1 1          0  1   A(base) = A(low bit) A(high bit)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/room.hpp"
#include "kernels/tables/fingerprints.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp
struct Query;      // lib/search/query.hpp

inline constexpr std::uint32_t kMatrixPrime = 0x7fffffff;  // 2^31 - 1: remainders need no division

// a b
// c d   all below kMatrixPrime
struct alignas(16) Matrix {
  std::uint32_t a, b, c, d;
};

BASESWEEP_HD constexpr Matrix identity_matrix() { return {1, 0, 0, 1}; }

// x - y modulo p. There are two candidates, which differ by p: one is in [0, p), and the other, as a number of 32 bits,
// is larger.
BASESWEEP_HD constexpr std::uint32_t subtract_modulo(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t difference = x - y;
  return difference < difference + kMatrixPrime ? difference : difference + kMatrixPrime;
}

// x y + z w
BASESWEEP_HD constexpr std::uint32_t dot_modulo(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w) {
  const std::uint64_t sum = std::uint64_t{x} * y + std::uint64_t{z} * w;  // below 2^63
  const std::uint64_t folded = (sum & kMatrixPrime) + (sum >> 31);        // below 2^33
  const auto again = static_cast<std::uint32_t>((folded & kMatrixPrime) + (folded >> 31));
  return again < again - kMatrixPrime ? again : again - kMatrixPrime;
}

BASESWEEP_HD constexpr Matrix product(const Matrix& x, const Matrix& y) {
  return {dot_modulo(x.a, y.a, x.b, y.c), dot_modulo(x.a, y.b, x.b, y.d), dot_modulo(x.c, y.a, x.d, y.c),
          dot_modulo(x.c, y.b, x.d, y.d)};
}

// The inverse of a matrix with determinant 1.
BASESWEEP_HD constexpr Matrix inverse(const Matrix& x) {
  return {x.d, subtract_modulo(0, x.b), subtract_modulo(0, x.c), x.a};
}

// k = k K(bit), without modulus, for a product of at most 32 bits: its numbers are at most the 33rd Fibonacci number,
// which is below 2^23.
BASESWEEP_HD constexpr void append_small(Matrix& k, std::uint32_t bit) {
  k.a += k.b * (1 - bit);
  k.b += k.a * bit;
  k.c += k.d * (1 - bit);
  k.d += k.c * bit;
}

// K of the lowest 16 positions.
BASESWEEP_HD constexpr Matrix matrix_of_16(std::uint32_t lo, std::uint32_t hi) {
  Matrix k = identity_matrix();
  for (int i = 0; i < 16; ++i) {
    append_small(k, hi >> i & 1);
    append_small(k, lo >> i & 1);
  }
  return k;
}

// K of 32 positions, which are a word of the scans.
inline constexpr std::uint32_t kMatrixPositions = 32;
BASESWEEP_HD constexpr Matrix matrix_of_word(std::uint32_t lo, std::uint32_t hi) {
  return product(matrix_of_16(lo, hi), matrix_of_16(lo >> 16, hi >> 16));
}

// The window is kept as K D, where D = diag(1, -1). Since K(bit) D = D A(bit), appending a bit is then a subtraction,
// as dropping one is.
BASESWEEP_HD constexpr Matrix times_d(const Matrix& k) {
  return {k.a, subtract_modulo(0, k.b), k.c, subtract_modulo(0, k.d)};
}

// x -= y if the bit is 1, else y -= x. A CPU cannot predict the bits of a text, so its version does not branch. On the
// GPU the branch compiles to predicated instructions, a quarter fewer than selections take.
BASESWEEP_HD constexpr void subtract_one(std::uint32_t bit, std::uint32_t& x, std::uint32_t& y) {
#ifdef __CUDA_ARCH__
  if (bit != 0) {
    x = subtract_modulo(x, y);
  } else {
    y = subtract_modulo(y, x);
  }
#else
  const std::uint32_t x_less = x - (y & (0 - bit));
  const std::uint32_t y_less = y - (x & (bit - 1));
  x = x_less + (kMatrixPrime & (0 - (x_less >> 31)));
  y = y_less + (kMatrixPrime & (0 - (y_less >> 31)));
#endif
}

BASESWEEP_HD constexpr void append_bit(Matrix& kd, std::uint32_t bit) {
  subtract_one(bit ^ 1, kd.a, kd.b);
  subtract_one(bit ^ 1, kd.c, kd.d);
}
BASESWEEP_HD constexpr void drop_bit(Matrix& kd, std::uint32_t bit) {
  subtract_one(bit, kd.a, kd.c);
  subtract_one(bit, kd.b, kd.d);
}

// Appends the base in the lowest bits of the planes to the window, or drops it from the window's left end.
BASESWEEP_HD constexpr void append_base(Matrix& kd, std::uint32_t lo, std::uint32_t hi) {
  append_bit(kd, hi & 1);
  append_bit(kd, lo & 1);
}
BASESWEEP_HD constexpr void drop_base(Matrix& kd, std::uint32_t lo, std::uint32_t hi) {
  drop_bit(kd, hi & 1);
  drop_bit(kd, lo & 1);
}

// The upper row alone is compared, since it determines the window. Without modulus: the window's last bit is 0 if a >
// b, else 1; undoing that bit leads to the bit before, and so on.
BASESWEEP_HD constexpr std::uint64_t fingerprint_of(const Matrix& kd) { return std::uint64_t{kd.a} << 32 | kd.b; }

Fingerprints matrix_fingerprints(const PatternSet& patterns, const std::vector<std::uint32_t>& queries);

// `crk` and `hrk` on the CPU. They differ on a GPU only: one CPU thread rolls a window along the text, once for each
// length of queries (section 3.2, equation 3).
std::optional<std::string> decline_matrices(const Query& query);
std::unique_ptr<Matcher> make_matrix_matcher(const RoomOptions& options);

}  // namespace basesweep
