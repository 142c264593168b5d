#include "kernels/wu_manber/index.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/staged.hpp"
#include "kernels/trie.hpp"

namespace basesweep::wu_manber {
namespace {

constexpr std::uint32_t kMostShift = 255;  // in a byte

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, std::uint32_t wanted,
             const BlockRule& rule)
    : starts(patterns, entries) {
  const auto window = static_cast<double>(std::min(starts.shortest, kMostShift));
  const double recommended = std::log2(2.0 * static_cast<double>(entries.size()) * window) / 2;
  block = wanted != 0 ? wanted : static_cast<std::uint32_t>(recommended + rule.added);
  block = std::clamp(block, 1U, std::min(starts.shortest, rule.most));

  shortest = std::min(starts.shortest, block + kMostShift - 1);
  SHIFT.assign(std::size_t{1} << 2 * block, static_cast<std::uint8_t>(shortest - block + 1));
  for (const std::uint32_t e : entries) {
    const std::vector<std::uint8_t> codes = codes_of(patterns.entries()[e]);
    for (std::uint32_t column = 0; column + block <= shortest; ++column) {
      std::uint8_t& shift = SHIFT[qgram_of(codes, column, block)];
      shift = static_cast<std::uint8_t>(std::min<std::uint32_t>(shift, shortest - block - column));
    }
  }
}

}  // namespace basesweep::wu_manber
