#include "lib/pipeline/best_per_record.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/rows/hits_of_batch.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

const RecordStandings::OfGroup& of_group(const std::vector<RecordStandings::OfGroup>& groups, std::uint32_t group) {
  return *std::partition_point(groups.begin(), groups.end(), [group](const auto& of) { return of.group < group; });
}

}  // namespace

BestPerRecord::BestPerRecord(const PatternSet& patterns, HitSelector& selector, Options options)
    : selector_(selector), options_(std::move(options)) {
  for (const Query& query : patterns.queries()) {
    groups_.push_back(options_.patterns_compete ? 0 : query.pattern);
    strands_.push_back(2 * query.pattern + (query.strand == Strand::minus ? 1 : 0));
  }
}

void BestPerRecord::add(const Hit& hit, std::int64_t start) {
  standings_.add(group_of(hit), strands_[hit.query], {start, start + hit.length, hit.edits_and_hang()});
}

BestPerRecord::Decided BestPerRecord::select(const PackedBatch& batch, std::vector<Hit>& hits) {
  Decided decided{nullptr, BatchStandings(groups_)};
  const std::vector<Segment>& segments = batch.segments();
  std::vector<SegmentStart> places;
  places.reserve(hits.size());
  for (std::size_t segment = 0; const Hit& hit : hits) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) ++segment;
    const Segment& own = segments[segment];
    places.push_back({&own, own.offset + (hit.position - own.position)});
  }

  std::size_t kept = 0;
  std::size_t begin = 0;  // the first hit of the open record
  const auto close_record = [&](std::size_t end) {
    if (open_record_ < 0) return;
    const std::vector<RecordStandings::OfGroup> groups = standings_.take();
    if (waiting_ != nullptr) decided.earlier = choose_waiting(groups);
    decided.standings.add(open_record_, groups);
    for (std::size_t i = begin; i < end; ++i) {
      Hit hit = hits[i];
      if (hit.edits_and_hang() != of_group(groups, group_of(hit)).fewest_edits) continue;
      const Segment& own = *places[i].segment;
      if (selector_.keep(own.record, places[i].start, hit, own.source, own.circular_length)) hits[kept++] = hit;
    }
    open_record_ = -1;
  };
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (places[i].segment->record != open_record_) {
      close_record(i);
      open_record_ = places[i].segment->record;
      begin = i;
    }
    add(hits[i], places[i].start);
  }
  const std::uint32_t own_end = batch.view().own_end;
  const std::int64_t last = own_end == 0 || segments.empty() ? -1 : segments[batch.segment_at(own_end - 1)].record;
  if (open_record_ != last) close_record(hits.size());
  if (open_record_ >= 0) wait(batch, hits, begin);
  hits.resize(kept);
  return decided;
}

// Keeps the hits of the open record that are the best so far; they wait.
void BestPerRecord::wait(const PackedBatch& batch, std::vector<Hit>& hits, std::size_t begin) {
  std::vector<Hit> best;
  std::copy_if(hits.begin() + static_cast<std::ptrdiff_t>(begin), hits.end(), std::back_inserter(best),
               [this](const Hit& hit) { return hit.edits_and_hang() <= standings_.fewest_edits(group_of(hit)); });
  if (best.empty()) return;
  if (waiting_ == nullptr) waiting_ = make_waiting();
  for_each_hit(
      batch, best, options_.letters, [this](const PlacedHit& hit) { waiting_->add(hit); }, options_.flank);
}

std::unique_ptr<WaitingHits> BestPerRecord::choose_waiting(const std::vector<RecordStandings::OfGroup>& groups) {
  std::unique_ptr<WaitingHits> chosen = make_waiting();
  waiting_->replay([&](const PlacedHit& waited) {
    const RecordStandings::OfGroup& of = of_group(groups, group_of(waited.hit));
    PlacedHit hit = waited;
    hit.standing = of.standing;
    if (hit.hit.edits_and_hang() != of.fewest_edits) return;
    const bool kept = selector_.keep(open_record_, hit.start, hit.hit, hit.source, hit.circular_length);
    if (kept && options_.names != nullptr) options_.names->check(hit.record, hit.record_name, hit.source);
    if (kept && options_.printed) chosen->add(hit);
  });
  waiting_.reset();
  return chosen;
}

void BestPerRecord::take(const PlacedHit& hit, const std::function<void(const PlacedHit&)>& use) {
  if (hit.record != open_record_) {
    if (const auto chosen = finish()) chosen->replay(use);
    open_record_ = hit.record;
  }
  add(hit.hit, hit.start);
  if (hit.hit.edits_and_hang() > standings_.fewest_edits(group_of(hit.hit))) return;
  if (waiting_ == nullptr) waiting_ = make_waiting();
  waiting_->add(hit);
}

std::unique_ptr<WaitingHits> BestPerRecord::finish() {
  if (open_record_ < 0 || waiting_ == nullptr) return nullptr;
  return choose_waiting(standings_.take());
}

}  // namespace basesweep
