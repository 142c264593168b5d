#include "lib/pipeline/split_hits.hpp"

#include <tuple>

#include "lib/search/pattern_set.hpp"

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
  } else if (hit.start != group_.back().start) {
    flush(group_, spool_);
  }
  PlacedHit head = hit;
  if (hit.over_origin()) {
    PlacedHit tail = hit;
    tail.start = 0;
    tail.end = hit.end - hit.circular_length;
    tails_.add(tail);
    head.end = hit.circular_length;
  }
  group_.add(head);
}

void SplitHits::flush(HitCopies& hits, HitSpool& to) const {
  hits.sort([this](const PlacedHit& a, const PlacedHit& b) { return before(a, b); });
  hits.for_each([&to](const PlacedHit& hit) { to.add(hit); });
  hits.clear();
}

void SplitHits::end_record() {
  flush(group_, spool_);
  flush(tails_, tails_spool_);
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
