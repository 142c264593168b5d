// Integers as BAM has them. Private to the writers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace basesweep {

// BAM is little-endian, as every processor this runs on.
static_assert(std::endian::native == std::endian::little);

template <class Integer>
char* put_integer(char* to, Integer value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

inline char* put_int32(char* to, std::int64_t value) { return put_integer(to, static_cast<std::int32_t>(value)); }

}  // namespace basesweep
