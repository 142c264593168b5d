#include "lib/pipeline/hit_selector.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace basesweep {

HitSelector::HitSelector(const PatternSet& patterns, SelectOptions options)
    : patterns_(patterns),
      options_(std::move(options)),
      counts_(patterns.queries().size()),
      last_kept_(patterns.queries().size()),
      lowest_(patterns.patterns().size(), std::numeric_limits<std::uint16_t>::max()),
      pattern_written_(patterns.patterns().size()) {}

void HitSelector::select(const PackedBatch& batch, std::vector<Hit>& hits) {
  if (options_.best) {
    for (const Hit& hit : hits) {
      std::uint16_t& lowest = lowest_[patterns_.queries()[hit.query].pattern];
      lowest = std::min(lowest, static_cast<std::uint16_t>(hit.edits_and_hang()));
    }
    std::erase_if(hits, [this](const Hit& hit) {
      return hit.edits_and_hang() > lowest_[patterns_.queries()[hit.query].pattern];
    });
    return;
  }
  if (!options_.non_overlapping && !options_.max_hits && !options_.mark) {
    for (Hit& hit : hits) count(hit);
    return;
  }
  std::size_t segment = 0;
  const std::vector<Segment>& segments = batch.segments();
  std::erase_if(hits, [&](Hit& hit) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) ++segment;
    return !keep(segments[segment].record, segments[segment].offset + (hit.position - segments[segment].position), hit);
  });
}

bool HitSelector::keep(std::int64_t record, std::int64_t start, Hit& hit) {
  const std::uint32_t pattern = patterns_.queries()[hit.query].pattern;
  if (options_.best && hit.edits_and_hang() > lowest_[pattern]) return false;
  if (options_.non_overlapping) {
    Place& last = last_kept_[hit.query];
    if (record == last.record && start < last.end) return false;
    last = {record, start + hit.length};
  }
  if (options_.max_hits && total_ == *options_.max_hits) {
    truncated_ = true;
    return false;
  }
  count(hit);
  if (options_.mark) options_.mark(record);
  return true;
}

void HitSelector::count(Hit& hit) {
  ++total_;
  hit.first = 0;
  if (counts_[hit.query]++ != 0) return;
  const std::uint32_t pattern = patterns_.queries()[hit.query].pattern;
  hit.first = pattern_written_[pattern] ? 0 : 1;
  pattern_written_[pattern] = true;
}

void HitSelector::add_counts(const std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts_[i] += counts[i];
    total_ += counts[i];
  }
}

}  // namespace basesweep
