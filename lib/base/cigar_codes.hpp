// Operations of CIGAR strings as BAM codes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace basesweep {

// The letters by their numbers.
inline constexpr std::string_view kCigarLetters = "MIDNSHP=X";
inline constexpr std::uint32_t kMaxOpLength = (1U << 28U) - 1;

constexpr char op_of(std::uint32_t code) {
  return kCigarLetters[std::min<std::size_t>(code & 15U, kCigarLetters.size() - 1)];
}
constexpr std::uint32_t length_of(std::uint32_t code) { return code >> 4U; }
constexpr std::uint32_t cigar_code_of(std::uint32_t length, char op) {
  return length << 4U | static_cast<std::uint32_t>(kCigarLetters.find(op));
}
constexpr bool is_aligned_op(char op) { return op == 'M' || op == '=' || op == 'X'; }
constexpr bool takes_reference(char op) { return is_aligned_op(op) || op == 'D' || op == 'N'; }

}  // namespace basesweep
