// Numbers and nouns as sentences have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basesweep {

// A number with commas: "1,063,169".
inline std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

// "patterns", "matrices", "matches".
inline std::string plural_of(std::string_view noun) {
  if (noun == "matrix") return "matrices";
  return std::string(noun) + (noun.ends_with("ch") ? "es" : "s");
}

}  // namespace basesweep
