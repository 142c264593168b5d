#include "kernels/approximate/verify.hpp"

#include "lib/search/pattern_set.hpp"

namespace basesweep {

VerifyIndex::VerifyIndex(const PatternSet& patterns, const std::vector<std::uint32_t>& indices) {
  for (const std::uint32_t i : indices) {
    const Query& query = patterns.queries()[i];
    const auto length = static_cast<std::uint32_t>(query.sets.size());
    const std::uint32_t bits = verify_word_bits(length);
    const std::uint32_t count = (length + bits - 1) / bits;
    const std::uint32_t spare = count * bits - length;
    queries.push_back({static_cast<std::uint32_t>(blocks.size()), length, query.limits.edits, count, spare});
    for (std::uint32_t row = 0; row < count * bits; ++row) {
      if (row % bits == 0) blocks.emplace_back();
      const BaseSet set = row < spare ? kAnyBase : query.sets[row - spare];
      for (unsigned code = 0; code < 4; ++code) {
        if ((set >> code & 1) != 0) blocks.back().eq[code] |= std::uint64_t{1} << (row % bits);
      }
    }
  }
}

}  // namespace basesweep
