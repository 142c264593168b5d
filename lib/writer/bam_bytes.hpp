// Writes integers in BAM's byte order. Private to the writers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace basesweep {

// BAM is little-endian, and so is every processor that this runs on.
static_assert(std::endian::native == std::endian::little);

// Copies the integer to `to` and returns the place behind it.
template <class Integer>
char* put_integer(char* to, Integer value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

inline char* put_int32(char* to, std::int64_t value) { return put_integer(to, static_cast<std::int32_t>(value)); }

}  // namespace basesweep
