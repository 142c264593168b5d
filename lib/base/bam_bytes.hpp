// Writes integers in BAM's byte order. For sources that write BAM.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
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

// Writes the value of an integer tag: the letter of its type, then the value. Takes the shortest type that holds it, as
// HTSlib does. `value`: from the least std::int32_t to the largest std::uint32_t.
inline char* put_shortest(char* to, std::int64_t value) {
  const auto put_as = [&](char type, auto integer) {
    *to = type;
    return put_integer(to + 1, integer);
  };
  if (value < 0) {
    if (value >= std::numeric_limits<std::int8_t>::min()) return put_as('c', static_cast<std::int8_t>(value));
    if (value >= std::numeric_limits<std::int16_t>::min()) return put_as('s', static_cast<std::int16_t>(value));
    return put_as('i', static_cast<std::int32_t>(value));
  }
  if (value <= std::numeric_limits<std::uint8_t>::max()) return put_as('C', static_cast<std::uint8_t>(value));
  if (value <= std::numeric_limits<std::uint16_t>::max()) return put_as('S', static_cast<std::uint16_t>(value));
  return put_as('I', static_cast<std::uint32_t>(value));
}

inline void append_int32(std::string& bytes, std::size_t value) {
  char raw[sizeof(std::int32_t)];
  put_int32(raw, static_cast<std::int64_t>(value));
  bytes.append(raw, sizeof raw);
}

}  // namespace basesweep
