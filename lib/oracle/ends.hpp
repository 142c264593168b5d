// The positions of a text where alignments of a pattern end, and their edits: the answer of an approximate matcher,
// before the resolver turns ends into hits. See naive.hpp for why this is apart from the rest of lib/.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace oracle {

inline constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();

// One number for each letter of the text: the fewest mismatches and indels that turn the whole pattern into a stretch
// of text that ends with this letter, or into the empty stretch behind it. This is the last row of the full matrix of
// Sellers (1980). The pattern has upper-case IUPAC letters; '-' in it, and letters of the text that are not A, C, G, T
// or U, match nothing.
std::vector<std::size_t> fewest_edits(const std::string& pattern, const std::string& text);

// The same with mismatches only; kNoEnd where the text up to this letter is shorter than the pattern.
std::vector<std::size_t> mismatches(const std::string& pattern, const std::string& text);

}  // namespace oracle
