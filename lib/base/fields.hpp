// Splits lines of text into fields and parses numbers.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>

namespace basesweep {

// The largest position that is accepted in a file. No record or file is that long, and sums of positions do not
// overflow.
inline constexpr std::int64_t kMaxBases = std::int64_t{1} << 47;

// Parses all of the text as a number. False if it is not one; then `number` may have changed.
template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The same for a position or length of 0 to kMaxBases.
inline bool parse_place(std::string_view text, std::int64_t& number) {
  return parse_number(text, number) && number >= 0 && number <= kMaxBases;
}

// Removes everything up to the first mark from the text and returns it without the mark; everything if there is none.
inline std::string_view take_to(std::string_view& text, char mark) {
  const std::size_t end = text.find(mark);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

// The text without the characters of `blanks` at its two ends.
inline std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

// Splits a line, with or without line end, at its tabs. Fills `fields` from the front and returns how many were filled;
// further fields of the line are ignored.
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
