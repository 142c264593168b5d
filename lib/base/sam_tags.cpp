#include "lib/base/sam_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/fields.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kValueAt = 5;  // of "RG:Z:x"

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

[[noreturn]] void refuse(std::string_view tag, std::string_view expected) {
  throw std::runtime_error(fmt::format("tag {}: expected {}, found '{}'", tag.substr(0, 2), expected,
                                       tag.substr(std::min<std::size_t>(tag.size(), 3))));
}

// SAM allows a plus sign, which parse_number() does not.
template <class Number>
bool parse_value(std::string_view text, Number& number) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  return parse_number(text, number);
}

template <class Number>
void append_number(std::string& to, Number number) {
  std::array<char, sizeof number> bytes{};
  put_integer(bytes.data(), number);
  to.append(bytes.data(), bytes.size());
}

void append_integer(std::string_view tag, std::string_view value, std::string& to) {
  std::int64_t number = 0;
  if (!parse_value(value, number) || number < std::numeric_limits<std::int32_t>::min() ||
      number > std::numeric_limits<std::uint32_t>::max())
    refuse(tag, "a whole number of 32 bits");
  std::array<char, 1 + sizeof(std::uint32_t)> bytes{};
  to.append(bytes.data(), put_shortest(bytes.data(), number));
}

// The numbers of an array, each after a comma.
template <class Number>
void append_numbers(std::string_view tag, std::string_view values, std::string& to) {
  const std::size_t count_at = to.size();
  append_int32(to, 0);
  std::int32_t count = 0;
  while (!values.empty()) {
    values.remove_prefix(1);
    const std::string_view value = values.substr(0, values.find(','));
    values.remove_prefix(value.size());
    Number number{};
    if (!parse_value(value, number)) refuse(tag, "numbers that its type can hold");
    append_number(to, number);
    ++count;
  }
  put_integer(to.data() + count_at, count);
}

void append_array(std::string_view tag, std::string_view value, std::string& to) {
  if (value.empty() || (value.size() > 1 && value[1] != ',')) refuse(tag, "an array such as 'B:C,1,2'");
  const std::string_view values = value.substr(1);
  to += value[0];
  switch (value[0]) {
    case 'c': return append_numbers<std::int8_t>(tag, values, to);
    case 'C': return append_numbers<std::uint8_t>(tag, values, to);
    case 's': return append_numbers<std::int16_t>(tag, values, to);
    case 'S': return append_numbers<std::uint16_t>(tag, values, to);
    case 'i': return append_numbers<std::int32_t>(tag, values, to);
    case 'I': return append_numbers<std::uint32_t>(tag, values, to);
    case 'f': return append_numbers<float>(tag, values, to);
    default: refuse(tag, "an array of c, C, s, S, i, I or f");
  }
}

void append_binary(std::string_view tag, std::string& to) {
  const char type = tag[3];
  const std::string_view value = tag.substr(kValueAt);
  to.append(tag.substr(0, 2));
  if (type == 'i') return append_integer(tag, value, to);
  to += type;
  switch (type) {
    case 'A':
      if (value.size() != 1 || value[0] == ' ') refuse(tag, "one character");
      to += value;
      return;
    case 'f': {
      float number = 0;
      if (!parse_value(value, number)) refuse(tag, "a number");
      return append_number(to, number);
    }
    case 'H':
      if (value.size() % 2 != 0 ||
          !std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isxdigit(c) != 0; }))
        refuse(tag, "an even number of hexadecimal digits");
      [[fallthrough]];
    case 'Z': to.append(value).push_back('\0'); return;
    case 'B': return append_array(tag, value, to);
    default: refuse(tag, "a type of A, i, f, Z, H or B");
  }
}

}  // namespace

bool is_sam_tag(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return name.size() == 2 && is_letter(name[0]) && (is_letter(name[1]) || (name[1] >= '0' && name[1] <= '9'));
}

void append_sam_tag(std::string_view tag, bool binary, std::string& to) {
  if (tag.size() < kValueAt || tag[2] != ':' || tag[4] != ':') refuse(tag, "a type and a value such as 'Z:x'");
  if (!std::all_of(tag.begin(), tag.end(), is_printable))
    throw std::runtime_error(fmt::format("tag {}: it has letters that SAM does not allow", tag.substr(0, 2)));
  if (binary) return append_binary(tag, to);
  std::string bytes;
  append_binary(tag, bytes);
  to.append("\t").append(tag);
}

namespace {

std::size_t bytes_of_type(char type) {
  switch (type) {
    case 'A':
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 'd': return 8;
    default: break;
  }
  throw std::runtime_error("a tag of an unknown type");
}

}  // namespace

std::size_t bam_tag_size(std::string_view bytes) {
  constexpr std::size_t kHead = 3;  // its name and its type
  const auto take = [&bytes](std::size_t size) {
    if (size > bytes.size()) throw std::runtime_error("a tag has no end");
    return size;
  };
  const char type = bytes[take(kHead) - 1];
  if (type == 'Z' || type == 'H') return take(bytes.find('\0', kHead)) + 1;
  if (type != 'B') return take(kHead + bytes_of_type(type));
  std::uint32_t count = 0;
  const std::size_t values = take(kHead + 1 + sizeof count);
  std::memcpy(&count, bytes.data() + kHead + 1, sizeof count);
  return take(values + count * bytes_of_type(bytes[kHead]));
}

}  // namespace basesweep
