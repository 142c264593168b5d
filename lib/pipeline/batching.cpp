#include "lib/pipeline/batching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/threads.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

double expected_occurrences(const PatternSet& patterns) {
  double occurrences = 0;
  for (const Query& query : patterns.queries()) {
    double share = 1;
    if (!patterns.approximate()) {
      if (query.iupac) {
        for (const BaseSet set : query.sets) share *= std::popcount(set) / 4.0;
      } else {
        share = std::ldexp(1.0, -2 * static_cast<int>(query.sets.size()));
      }
    } else if (3 * std::size_t{query.limits.edits} < query.sets.size()) {
      share = 0;
    }
    occurrences += share;
  }
  return occurrences;
}

std::uint64_t max_hits_of_batch(std::uint64_t usual) {
  const char* const wanted = std::getenv("BASESWEEP_BATCH_HITS");
  if (wanted == nullptr || *wanted == '\0') return usual;
  std::uint64_t hits = 0;
  if (!parse_number(wanted, hits) || hits == 0)
    throw UsageError(fmt::format("BASESWEEP_BATCH_HITS={}: expected a number of hits", wanted));
  return hits;
}

std::uint32_t max_batch_positions(double occurrences, std::uint64_t hits) {
  constexpr double kMinPositions = 1U << 12;
  const double positions = std::max(static_cast<double>(hits) / std::max(occurrences, 1e-9), kMinPositions);
  return static_cast<std::uint32_t>(std::min<double>(positions, std::numeric_limits<std::uint32_t>::max()));
}

Halos halos(const PatternSet& patterns, Report report, std::uint32_t flank, std::uint32_t reach) {
  if (!patterns.approximate()) return {flank, std::max(patterns.max_length(), 1U) - 1 + flank};
  const std::uint32_t halo = halo_positions(patterns, report);
  return {std::max(halo, flank), halo + flank + reach};
}

namespace {

// The most positions of a batch so that every thread gets some of a small input. Halos and other work that each batch
// costs should not count.
std::uint32_t share_of_thread(const BatchSize& size, const Halos& beside) {
  constexpr std::int64_t kMinPositions = 1U << 16;
  const std::int64_t share = share_of_batch(*size.expected_bases, size.threads);
  const std::int64_t min = std::max(kMinPositions, std::int64_t{64} * (beside.left + beside.right));
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(share, min, std::numeric_limits<std::uint32_t>::max()));
}

// See BatchOptions::circular_reach.
std::vector<CircularReach> circular_reach(const PatternSet& patterns, Report report, std::uint32_t flank) {
  std::map<std::uint32_t, std::uint32_t> halos;  // by the least length of a record
  for (const Query& query : patterns.queries()) {
    const auto length = static_cast<std::uint32_t>(query.sets.size());
    const std::uint32_t indels = patterns.approximate() ? query.limits.indels : 0;
    const std::uint32_t halo = (report == Report::minima ? 2 : 1) * (length + indels - 1);
    std::uint32_t& widest = halos[length - std::min(length, indels)];
    widest = std::max(widest, halo);
  }
  std::vector<CircularReach> rows;
  std::uint32_t widest = 0;
  for (const auto& [min_length, halo] : halos) {
    widest = std::max(widest, halo);
    rows.push_back({min_length, patterns.approximate() ? std::max(widest, flank) : flank, widest + flank});
  }
  return rows;
}

}  // namespace

BatchOptions batch_options(const PatternSet& patterns, Report report, Matcher& matcher, const BatchSize& size,
                           std::uint32_t flank, std::uint32_t reach) {
  const Halos beside = halos(patterns, report, flank, reach);
  BatchOptions batch;
  batch.batch_positions = size.positions;
  if (size.positions == 0) {
    // The halo is searched for every batch, so batches should be large beside it.
    constexpr std::uint32_t kTimesReach = 4;
    const std::uint32_t min = kTimesReach * reach;
    const std::uint32_t share = size.expected_bases ? share_of_thread(size, beside) : ~0U;
    // So many that hardly a batch of random text has too many.
    const std::uint32_t max =
        max_batch_positions(size.occurrences.value_or(expected_occurrences(patterns)), usual_hits(matcher.slots()) / 2);
    const bool on_cpu = matcher.slots() == 0;
    batch.next_positions = [&matcher, min, max = on_cpu ? std::min(max, share) : max] {
      return std::max(std::min(matcher.batch_positions(), max), min);
    };
  }
  batch.max_length = std::max(patterns.max_length(), 1U);
  batch.halo_left = beside.left;
  batch.halo_right = beside.right;
  batch.circular_reach = circular_reach(patterns, report, flank);
  batch.product_reach = reach;
  batch.approximate = patterns.approximate();
  batch.letters = flank != 0;
  batch.run_margin = patterns.max_edits() + flank + reach;  // max_edits() is 0 in an exact search
  batch.memory = matcher.memory();
  return batch;
}

}  // namespace basesweep
