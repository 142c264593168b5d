#include "lib/pipeline/hit_selector.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

HitSelector::HitSelector(const PatternSet& patterns, SelectOptions options)
    : patterns_(patterns),
      options_(std::move(options)),
      counts_(patterns.queries().size()),
      fine_{options_.by_source, options_.by_edits, options_.by_edits ? patterns.max_edits() + 1 : 1},
      kept_(2 * patterns.patterns().size()),
      lowest_(patterns.patterns().size(), std::numeric_limits<std::uint16_t>::max()),
      pattern_written_(patterns.patterns().size()) {}

void HitSelector::select(const PackedBatch& batch, std::vector<Hit>& hits) {
  if (options_.best) {
    for (const Hit& hit : hits) see(hit);
    std::erase_if(hits, [this](const Hit& hit) {
      return hit.edits_and_hang() > lowest_[patterns_.queries()[hit.query].pattern];
    });
    return;
  }
  if (!options_.non_overlapping && !options_.max_hits && !options_.mark && !options_.by_source) {
    for (Hit& hit : hits) count(hit, 0);
    return;
  }
  std::size_t segment = 0;
  const std::vector<Segment>& segments = batch.segments();
  std::erase_if(hits, [&](Hit& hit) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) ++segment;
    const Segment& own = segments[segment];
    return !keep(own.record, own.offset + (hit.position - own.position), hit, own.source, own.circular_length);
  });
}

void HitSelector::see(const Hit& hit) {
  std::uint16_t& lowest = lowest_[patterns_.queries()[hit.query].pattern];
  lowest = std::min(lowest, static_cast<std::uint16_t>(hit.edits_and_hang()));
}

bool HitSelector::keep(std::int64_t record, std::int64_t start, Hit& hit, std::uint32_t source,
                       std::int64_t circular_length) {
  const std::uint32_t pattern = patterns_.queries()[hit.query].pattern;
  if (options_.best && hit.edits_and_hang() > lowest_[pattern]) return false;
  if (options_.non_overlapping) {
    RecordStretch& kept = kept_[2 * pattern + (patterns_.queries()[hit.query].strand == Strand::minus ? 1 : 0)];
    const bool same = record == kept.record;
    if (same && start < kept.last_end) return false;
    kept = {record, same ? kept.first_start : start, start + hit.length};
    if (circular_length != 0 && kept.last_end - circular_length > kept.first_start) return false;
  }
  if (options_.max_hits && total_ == *options_.max_hits) {
    truncated_ = true;
    return false;
  }
  count(hit, source);
  if (options_.mark) options_.mark(record);
  return true;
}

void HitSelector::count(Hit& hit, std::uint32_t source) {
  ++total_;
  if (fine_.by_source || fine_.by_edits) {
    const std::size_t place = fine_.by_source ? source : 0;
    if (fine_.counts.size() <= place) fine_.counts.resize(place + 1);
    std::vector<std::uint64_t>& counts = fine_.counts[place];
    if (counts.empty()) counts.resize(counts_.size() * fine_.width);
    ++counts[std::size_t{hit.query} * fine_.width + (fine_.by_edits ? hit.edits : 0)];
  }
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
