#include "lib/oracle/ends.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>

#include "lib/oracle/naive.hpp"

namespace oracle {
namespace {

// For each position of the pattern, the text letters that it matches, in either case.
std::vector<std::array<bool, UCHAR_MAX + 1>> matched_by(const std::string& pattern) {
  std::vector<std::array<bool, UCHAR_MAX + 1>> positions(pattern.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    for (const char letter : members(pattern[i])) {
      const auto upper = static_cast<unsigned char>(letter);
      positions[i][upper] = positions[i][static_cast<unsigned char>(std::tolower(upper))] = true;
    }
  }
  return positions;
}

}  // namespace

std::vector<std::size_t> fewest_edits(const std::string& pattern, const std::string& text) {
  const auto matched = matched_by(pattern);
  // One column of the matrix: cells[i] is the cost of the first i positions. It is overwritten for each text letter.
  std::vector<std::size_t> cells(pattern.size() + 1);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = i;
  std::vector<std::size_t> edits;
  for (const char letter : text) {
    std::size_t diagonal = cells[0];
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const std::size_t left = cells[i];
      const std::size_t mismatch = matched[i - 1][static_cast<unsigned char>(letter)] ? 0 : 1;
      cells[i] = std::min(std::min(left, cells[i - 1]) + 1, diagonal + mismatch);
      diagonal = left;
    }
    edits.push_back(cells.back());
  }
  return edits;
}

std::vector<std::size_t> mismatches(const std::string& pattern, const std::string& text) {
  const auto matched = matched_by(pattern);
  std::vector<std::size_t> counts(text.size(), kNoEnd);
  for (std::size_t end = pattern.size(); end <= text.size() && end != 0; ++end) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      count += matched[i][static_cast<unsigned char>(text[end - pattern.size() + i])] ? 0 : 1;
    }
    counts[end - 1] = count;
  }
  return counts;
}

}  // namespace oracle
