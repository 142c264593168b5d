// Writes integers in BAM's byte order. For sources that write BAM.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

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

inline void append_int32(std::string& bytes, std::size_t value) {
  char raw[sizeof(std::int32_t)];
  put_int32(raw, static_cast<std::int64_t>(value));
  bytes.append(raw, sizeof raw);
}

}  // namespace basesweep
