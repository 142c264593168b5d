#include "lib/pipeline/hit_selector.hpp"

#include <algorithm>

namespace basesweep {

HitSelector::HitSelector(const PatternSet& patterns, SelectOptions options)
    : patterns_(patterns),
      options_(options),
      counts_(patterns.entries().size()),
      kept_end_(patterns.entries().size()) {}

void HitSelector::select(const PackedBatch& batch, MatchResult& result) {
  for (std::size_t i = 0; i < result.counts.size(); ++i) {
    counts_[i] += result.counts[i];
    total_ += result.counts[i];
  }
  if (options_.non_overlapping) drop_overlapping(batch, result.hits);
  if (options_.max_hits && result.hits.size() > *options_.max_hits - total_) {
    result.hits.resize(*options_.max_hits - total_);
    truncated_ = true;
  }
  for (const BatchHit hit : result.hits) ++counts_[hit_entry(hit)];
  total_ += result.hits.size();
}

// Keeps a hit that starts at or after the end of the last kept one of its pattern and strand in the record.
void HitSelector::drop_overlapping(const PackedBatch& batch, std::vector<BatchHit>& hits) {
  std::size_t piece = 0;
  const std::vector<Piece>& pieces = batch.pieces();
  std::erase_if(hits, [&](BatchHit hit) {
    while (piece + 1 < pieces.size() && pieces[piece + 1].column <= hit_column(hit)) ++piece;
    if (pieces[piece].record != record_) {
      record_ = pieces[piece].record;
      std::fill(kept_end_.begin(), kept_end_.end(), 0);
    }
    const std::int64_t start = pieces[piece].offset + (hit_column(hit) - pieces[piece].column);
    std::int64_t& kept_end = kept_end_[hit_entry(hit)];
    if (start < kept_end) return true;
    kept_end = start + static_cast<std::int64_t>(patterns_.entries()[hit_entry(hit)].columns.size());
    return false;
  });
}

}  // namespace basesweep
