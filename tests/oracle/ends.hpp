// Where a pattern ends in a text, and with how many edits. Uses nothing of lib/.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace oracle {

inline constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();

// For each letter of the text: the fewest mismatches and indels that turn some stretch which ends with it, or an empty
// one behind it, into the whole pattern (Sellers 1980, the full matrix). The pattern has IUPAC letters, upper case; `-`
// in it, and letters of the text that are not A, C, G, T or U, match nothing.
std::vector<std::size_t> fewest_edits(const std::string& pattern, const std::string& text);

// Likewise without indels; kNoEnd where the text before is too short.
std::vector<std::size_t> mismatches(const std::string& pattern, const std::string& text);

}  // namespace oracle
