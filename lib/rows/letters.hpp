// Writes letters and numbers of output lines. Private to the formatters.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/base/iupac_letters.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

// The functions put...() write to `to` and return the place behind what they wrote.
inline char* put(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

// `letters`: of the forward strand; written reverse-complemented for strand -.
inline char* put_matched(char* to, std::string_view letters, Strand strand) {
  if (strand == Strand::plus) return put(to, letters);
  return std::transform(letters.rbegin(), letters.rend(), to, complement_letter);
}

inline constexpr std::size_t kNumberDigits = 20;  // the most that a 64-bit integer takes, with its sign

inline char* put(char* to, std::int64_t number) {
  char* const last = to + kNumberDigits;
  // Nearly all numbers are small, and division by 10 is quicker in 32 bits.
  const auto small = static_cast<std::uint32_t>(number);
  return small == number ? std::to_chars(to, last, small).ptr : std::to_chars(to, last, number).ptr;
}

}  // namespace basesweep
