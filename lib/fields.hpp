// Fields of a line of text, and numbers in them.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>

namespace basesweep {

// More bases than any record or file has, and so few that no sum of places overflows.
inline constexpr std::int64_t kMostBases = std::int64_t{1} << 47;

// Whether all of the text is a number, which is put into `number`.
template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Likewise, of 0 to kMostBases.
inline bool parse_place(std::string_view text, std::int64_t& number) {
  return parse_number(text, number) && number >= 0 && number <= kMostBases;
}

// What is before the mark, or everything; the text is left with what is behind it.
inline std::string_view take_to(std::string_view& text, char mark) {
  const std::size_t end = text.find(mark);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

// The first fields of a line, tabs between; how many it has, as far as there is room.
inline std::size_t split_at_tabs(std::string_view line, std::span<std::string_view> fields) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  std::size_t count = 0;
  while (count < fields.size()) {
    const std::size_t tab = line.find('\t');
    fields[count++] = line.substr(0, tab);
    if (tab == std::string_view::npos) break;
    line.remove_prefix(tab + 1);
  }
  return count;
}

}  // namespace basesweep
