#include "lib/pipeline/split_hits.hpp"

#include <algorithm>
#include <tuple>

namespace basesweep {

SplitHits::SplitHits(const std::string& directory, int threads, const PatternSet& patterns)
    : patterns_(patterns), spool_(directory, threads), tails_spool_(directory, 1) {}

bool SplitHits::before(const PlacedHit& a, const PlacedHit& b) const {
  const auto key = [this](const PlacedHit& hit) {
    const Query& query = patterns_.queries()[hit.hit.query];
    return std::tuple(hit.record, hit.start, hit.end, query.strand, query.pattern);
  };
  return key(a) < key(b);
}

void SplitHits::add(const PlacedHit& hit) {
  if (hit.record != record_) {
    end_record();
    record_ = hit.record;
    record_name_ = hit.record_name;
  } else if (hit.start != group_.back().hit.start) {
    flush_group();
  }
  PlacedHit head = hit;
  head.record_name = record_name_;
  if (hit.over_origin()) {
    PlacedHit tail = head;
    tail.start = 0;
    tail.end = hit.end - hit.circular_length;
    tail.hit.length = static_cast<std::uint32_t>(tail.end);
    tails_.push_back({tail, std::string(hit.letters)});
    head.end = hit.circular_length;
    head.hit.length -= tail.hit.length;
  }
  group_.push_back({head, std::string(hit.letters)});
}

// Sorts the hits and moves them to the spool.
void SplitHits::spool(std::vector<Waiting>& hits, HitSpool& to) const {
  std::stable_sort(hits.begin(), hits.end(),
                   [this](const Waiting& a, const Waiting& b) { return before(a.hit, b.hit); });
  for (Waiting& waiting : hits) {
    waiting.hit.letters = waiting.letters;
    to.add(waiting.hit);
  }
  hits.clear();
}

void SplitHits::end_record() {
  flush_group();
  spool(tails_, tails_spool_);
}

void SplitHits::replay(const std::function<void(const PlacedHit&)>& use) {
  end_record();
  spool_.rewind();
  tails_spool_.rewind();
  PlacedHit hit;
  PlacedHit tail;
  bool more_hits = spool_.next(hit);
  bool more_tails = tails_spool_.next(tail);
  while (more_hits || more_tails) {
    if (!more_hits || (more_tails && before(tail, hit))) {
      use(tail);
      more_tails = tails_spool_.next(tail);
    } else {
      use(hit);
      more_hits = spool_.next(hit);
    }
  }
}

}  // namespace basesweep
