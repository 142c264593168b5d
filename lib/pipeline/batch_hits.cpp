#include "lib/pipeline/batch_hits.hpp"

#include <cstdint>

#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// Drops the hits that do not start in a requested position. Both lists are sorted.
void keep_requested(const std::vector<Interval>& requested, std::vector<Hit>& hits) {
  auto interval = requested.begin();
  std::erase_if(hits, [&](const Hit& hit) {
    while (interval != requested.end() && interval->end <= hit.position) ++interval;
    return interval == requested.end() || hit.position < interval->begin;
  });
}

// Drops the hits that start outside a circular record, in its repeats, and those that are longer than it.
void keep_in_circles(const PackedBatch& batch, std::vector<Hit>& hits) {
  if (!batch.has_circular()) return;
  auto segment = batch.segments().begin();
  std::erase_if(hits, [&](const Hit& hit) {
    while (segment + 1 != batch.segments().end() && (segment + 1)->position <= hit.position) ++segment;
    if (segment->circular_length == 0) return false;
    const std::int64_t start = segment->offset + (hit.position - segment->position);
    return start < 0 || start >= segment->circular_length || hit.length > segment->circular_length;
  });
}

}  // namespace

BatchHits::BatchHits(const PatternSet& patterns, Report report, bool skip_soft_masked) : patterns_(patterns) {
  if (patterns.approximate()) resolver_.emplace(patterns, report, skip_soft_masked);
}

std::optional<std::vector<Hit>> BatchHits::resolve(const PackedBatch& batch, std::span<const Occurrence> found,
                                                   std::uint64_t max_hits) const {
  std::optional<std::vector<Hit>> hits = resolver_ ? resolver_->resolve(batch, found, max_hits) : exact_hits(found);
  if (!hits) return hits;
  keep_in_circles(batch, *hits);
  if (batch.requested()) keep_requested(*batch.requested(), *hits);
  return hits;
}

std::vector<Hit> BatchHits::exact_hits(std::span<const Occurrence> found) const {
  std::vector<Hit> hits;
  hits.reserve(found.size());
  for (const Occurrence occurrence : found) {
    const std::uint32_t query = occurrence_query(occurrence);
    const auto length = static_cast<std::uint32_t>(patterns_.queries()[query].sets.size());
    hits.push_back({occurrence_position(occurrence), length, query, 0, 0, 0});
  }
  return hits;
}

}  // namespace basesweep
