#include "lib/parts/record_lookahead.hpp"

#include <algorithm>

namespace basesweep {

std::uint32_t RecordLookahead::pattern_of(const PrintedHit& hit) {
  return patterns_.try_emplace(std::string(hit.pattern), static_cast<std::uint32_t>(patterns_.size())).first->second;
}

void RecordLookahead::add(const PrintedHit& hit) {
  standings_.add(group_of(hit), 2 * pattern_of(hit) + (hit.minus ? 1 : 0), {hit.start, hit.end, hit.edits});
}

// Reads the hits of the record that ahead_ is of.
void RecordLookahead::read_record() {
  record_ = ahead_->record;
  number_ = ahead_->number;
  for (; ahead_ && in_record(*ahead_); ahead_ = next_()) add(*ahead_);
  groups_ = standings_.take();
}

const RecordStandings::OfGroup& RecordLookahead::of(const PrintedHit& hit) {
  if (!started_) ahead_ = next_();
  if (!started_ || !in_record(hit)) read_record();
  started_ = true;
  const std::uint32_t group = group_of(hit);
  return *std::partition_point(groups_.begin(), groups_.end(),
                               [group](const RecordStandings::OfGroup& of) { return of.group < group; });
}

}  // namespace basesweep
