// Sixteen bytes at once, for processors of either kind.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace basesweep {

// Operators compute with each byte.
using SixteenBytes = unsigned char __attribute__((vector_size(16)));

inline SixteenBytes load_16(const void* from) {
  SixteenBytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

// The bytes as two words; on processors that begin with the lowest byte, as all here do, the first byte is the lowest.
// `Vector`: SixteenBytes, or what comparing them gives.
template <class Vector>
std::array<std::uint64_t, 2> halves_of(Vector bytes) {
  static_assert(sizeof bytes == sizeof(SixteenBytes));
  std::array<std::uint64_t, 2> halves;
  std::memcpy(halves.data(), &bytes, sizeof bytes);
  return halves;
}

}  // namespace basesweep
