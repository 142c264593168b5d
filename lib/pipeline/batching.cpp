#include "lib/pipeline/batching.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace basesweep {

std::uint32_t max_batch_positions(const PatternSet& patterns) {
  constexpr double kMaxOccurrences = 1U << 22;
  constexpr double kMinPositions = 1U << 12;
  double occurrences = 0;  // expected at a position of random text
  for (const Query& query : patterns.queries()) {
    double share = 1;
    if (!patterns.approximate()) {
      for (const BaseSet set : query.sets) share *= std::popcount(set) / 4.0;
    } else if (3 * std::size_t{query.limits.edits} < query.sets.size()) {
      share = 0;
    }
    occurrences += share;
  }
  const double positions = std::max(kMaxOccurrences / std::max(occurrences, 1e-9), kMinPositions);
  return static_cast<std::uint32_t>(std::min<double>(positions, std::numeric_limits<std::uint32_t>::max()));
}

Halos halos(const PatternSet& patterns, Report report, std::uint32_t flank) {
  if (!patterns.approximate()) return {flank, std::max(patterns.max_length(), 1U) - 1 + flank};
  const std::uint32_t halo = halo_positions(patterns, report);
  return {std::max(halo, flank), halo + flank};
}

BatchOptions batch_options(const PatternSet& patterns, Report report, Matcher& matcher, std::uint32_t batch_positions,
                           std::uint32_t flank) {
  BatchOptions batch;
  batch.batch_positions =
      batch_positions != 0 ? batch_positions : std::min(matcher.batch_positions(), max_batch_positions(patterns));
  batch.max_length = std::max(patterns.max_length(), 1U);
  const Halos beside = halos(patterns, report, flank);
  batch.halo_left = beside.left;
  batch.halo_right = beside.right;
  batch.approximate = patterns.approximate();
  batch.letters = flank != 0;
  batch.run_margin = patterns.max_edits() + flank;  // max_edits() is 0 in an exact search
  batch.memory = matcher.memory();
  return batch;
}

}  // namespace basesweep
