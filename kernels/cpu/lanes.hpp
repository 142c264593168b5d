// Vectors of 32-bit or 64-bit lanes for Myers' step on the CPU. Each lane has its own rows and its own text.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cpu/word.hpp"

namespace basesweep::BASESWEEP_ISA {

// Lane: uint32_t or uint64_t.
template <class Lane>
struct VectorOf {
  using type __attribute__((vector_size(kWordBytes))) = Lane;
};
template <class Lane>
using Vector = typename VectorOf<Lane>::type;

inline constexpr int kVectors = 2;  // worked on side by side, since a step's instructions wait for one another

// Lanes of all vectors that are worked on side by side.
template <class Lane>
inline constexpr int kAllLanes = kWordBytes / static_cast<int>(sizeof(Lane)) * kVectors;

template <class Lane>
struct Vectors {
  Vector<Lane> of[kVectors];

  Lane& lane(int i) { return reinterpret_cast<Lane*>(of)[i]; }
};

// All ones in lanes whose highest bit is set.
template <class Lane>
Vector<Lane> top_set(Vector<Lane> x) {
  using Signed = typename VectorOf<std::make_signed_t<Lane>>::type;
  return reinterpret_cast<Vector<Lane>>(reinterpret_cast<Signed>(x) < 0);
}

// Eq as a function of the two code bits l and h of the text: eq = one ^ l low ^ h (high ^ l both). eq() takes
// them inverted, since comparing with 0 yields them so.
template <class V>
struct EqTerms {
  V one, low, high, both;

  void set(V a, V c, V t, V g) {
    one = g;
    low = g ^ t;
    high = g ^ c;
    both = high ^ t ^ a;
  }
  V eq(V l, V h) const { return one ^ (l & low) ^ (h & (high ^ (l & both))); }
};

}  // namespace basesweep::BASESWEEP_ISA
