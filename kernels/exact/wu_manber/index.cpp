#include "kernels/exact/wu_manber/index.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/automata/trie.hpp"
#include "kernels/tables/staged.hpp"

namespace basesweep::wu_manber {
namespace {

constexpr std::uint32_t kMaxShift = 255;  // a shift is a byte
constexpr std::uint32_t kLongWindow = 64;

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, std::uint32_t wanted,
             const BlockRule& rule)
    : starts(patterns, queries) {
  const auto window = static_cast<double>(std::min(starts.shortest, kMaxShift));
  const double recommended = std::log2(2.0 * static_cast<double>(queries.size()) * window) / 2;
  const double added = starts.shortest < kLongWindow ? rule.added : rule.added_to_long;
  block = wanted != 0 ? wanted : static_cast<std::uint32_t>(recommended + added);
  block = std::clamp(block, 1U, std::min(starts.shortest, rule.max_block));

  shortest = std::min(starts.shortest, block + kMaxShift - 1);
  SHIFT.assign(std::size_t{1} << 2 * block, static_cast<std::uint8_t>(shortest - block + 1));
  for (const std::uint32_t e : queries) {
    const std::vector<std::uint8_t> codes = codes_of(patterns.queries()[e]);
    for (std::uint32_t position = 0; position + block <= shortest; ++position) {
      std::uint8_t& shift = SHIFT[qgram_of(codes, position, block)];
      shift = static_cast<std::uint8_t>(std::min<std::uint32_t>(shift, shortest - block - position));
    }
  }
}

}  // namespace basesweep::wu_manber
