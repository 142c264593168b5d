#include "kernels/drk2s/index.hpp"

#include <algorithm>

#include "kernels/starts.hpp"

namespace basesweep::drk2s {
namespace {

int distinct_pairs(const BaseSet* columns, std::uint32_t count) {
  unsigned seen = 0;
  for (std::uint32_t i = 0; i + 1 < count; ++i)
    seen |= 1U << (single_base(columns[i]) * 4 + single_base(columns[i + 1]));
  return __builtin_popcount(seen);
}

// Where the sub-pattern begins: where it has most kinds of neighbouring bases. Runs and short repeats, which genomes
// are full of, have few, and each of their many copies would have to be verified. Any other choice is as right.
std::uint32_t choose_offset(const std::vector<BaseSet>& columns, std::uint32_t window) {
  std::uint32_t best = 0;
  int most = -1;
  for (std::uint32_t offset = 0; offset <= kMaxOffset && offset + window <= columns.size(); ++offset) {
    if (const int pairs = distinct_pairs(columns.data() + offset, window); pairs > most) {
      most = pairs;
      best = offset;
    }
  }
  return best;
}

}  // namespace

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, std::uint32_t window) {
  for (const std::uint32_t e : entries) {
    const std::vector<BaseSet>& columns = patterns.entries()[e].columns;
    const auto length = static_cast<std::uint32_t>(columns.size());
    const std::uint32_t offset = choose_offset(columns, window);
    SubPattern sub{0, 0, offset, e, static_cast<std::uint32_t>(chunks.size()), 0};
    for (std::uint32_t i = 0; i < std::min(window, length); ++i) {
      const unsigned code = single_base(columns[offset + i]);
      sub.fingerprint |= (code & 1) << i | (code >> 1) << (window + i);
      sub.mask |= 1U << i | 1U << (window + i);
    }
    if (length > window) add_chunks(patterns.entries()[e], chunks);
    sub.chunk_count = static_cast<std::uint32_t>(chunks.size()) - sub.first_chunk;
    max_offset = std::max(max_offset, offset);
    subpatterns.push_back(sub);
  }
}

}  // namespace basesweep::drk2s
