#include "kernels/papers/drk2s/index.hpp"

#include <algorithm>

#include "kernels/tables/starts.hpp"

namespace basesweep::drk2s {
namespace {

int distinct_pairs(const BaseSet* sets, std::uint32_t count) {
  unsigned seen = 0;
  for (std::uint32_t i = 0; i + 1 < count; ++i) seen |= 1U << (single_base(sets[i]) * 4 + single_base(sets[i + 1]));
  return __builtin_popcount(seen);
}

// The position of the sub-pattern: the one with the most kinds of neighbouring bases. Genomes are full of runs and
// short repeats, which have few kinds, and every copy would have to be verified. The result of the search does not
// depend on the choice.
std::uint32_t choose_offset(std::span<const BaseSet> sets, std::uint32_t gram) {
  std::uint32_t best = 0;
  int most = -1;
  for (std::uint32_t offset = 0; offset <= kMaxOffset && offset + gram <= sets.size(); ++offset) {
    if (const int pairs = distinct_pairs(sets.data() + offset, gram); pairs > most) {
      most = pairs;
      best = offset;
    }
  }
  return best;
}

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& queries, std::uint32_t gram) {
  for (const std::uint32_t e : queries) {
    const std::span<const BaseSet> sets = patterns.queries()[e].sets;
    const auto length = static_cast<std::uint32_t>(sets.size());
    const std::uint32_t offset = choose_offset(sets, gram);
    SubPattern sub{0, 0, offset, e, static_cast<std::uint32_t>(pattern_blocks.size()), 0};
    for (std::uint32_t i = 0; i < std::min(gram, length); ++i) {
      const unsigned code = single_base(sets[offset + i]);
      sub.fingerprint |= (code & 1) << i | (code >> 1) << (gram + i);
      sub.mask |= 1U << i | 1U << (gram + i);
    }
    if (length > gram) add_blocks(patterns.queries()[e], pattern_blocks);
    sub.block_count = static_cast<std::uint32_t>(pattern_blocks.size()) - sub.first_block;
    max_offset = std::max(max_offset, offset);
    subpatterns.push_back(sub);
  }
}

}  // namespace basesweep::drk2s
