#include "kernels/exact/planes/cost.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/exact/planes/index.hpp"
#include "kernels/exact/planes/step.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::planes {
namespace {

// How many positions of the query the scan tries after the filter's in a stretch of text, which is as long as a block.
std::uint32_t tried_after_filter(std::span<const BaseSet> sets, const TextSample& text, std::uint32_t first) {
  constexpr std::uint32_t kWords = TextSample::kStretch / 64;
  std::uint64_t found[kWords];
  std::fill(std::begin(found), std::end(found), ~std::uint64_t{0});
  const auto length = static_cast<std::uint32_t>(sets.size());
  for (std::uint32_t position = 0; position < length; ++position) {
    std::uint64_t any = 0;
    with_set(sets[position], [&](auto match) {
      for (std::uint32_t w = 0; w < kWords; ++w) {
        const std::uint32_t at = first + w * 64 + position;
        found[w] &= match(positions_at(text.lo.data(), at), positions_at(text.hi.data(), at));
        any |= found[w];
      }
    });
    if (position + 1 >= kFilterPositions && any == 0) return position + 1 - kFilterPositions;
  }
  return length - std::min(length, kFilterPositions);
}

}  // namespace

// Fitted to 133 measurements on 11 texts (docs/benchmarks.md, "Texts"), with AVX-512: 8 of 10 are within 17 %.
double nanoseconds(const SampledSearch& search) {
  if (search.queries.size() > kMaxQueries) return HUGE_VAL;
  std::uint64_t tried = 0;
  for (const std::uint32_t e : search.queries) {
    for (std::uint32_t first = 0; first < search.text.positions; first += TextSample::kStretch) {
      tried += tried_after_filter(search.patterns.queries()[e].sets, search.text, first);
    }
  }
  const Index index(search.patterns, search.queries);
  return 0.025 + 0.0015 * static_cast<double>(index.base_masks.size()) +
         0.0053 * static_cast<double>(search.queries.size()) +
         11.6 * static_cast<double>(tried) / search.text.positions + 26.6 * search.hits;
}

}  // namespace basesweep::planes
