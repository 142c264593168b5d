#include "lib/align/overhangs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "lib/align/cost.hpp"
#include "lib/align/text_sets.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// (edits, indels, length), the order of candidates.
using Rank = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;

// Positions count from the batch's first one and may be outside of the segment.
struct Candidate {
  std::int64_t start;
  std::int64_t end;  // exclusive
  Cost cost;

  Rank rank() const { return {cost.edits, cost.indels, end - start}; }
};

// The best rank of candidates with the same start, or the same end.
using BestRanks = std::map<std::int64_t, Rank>;

void add_rank(BestRanks& ranks, std::int64_t place, const Rank& rank) {
  const auto [known, fresh] = ranks.try_emplace(place, rank);
  if (!fresh) known->second = std::min(known->second, rank);
}

}  // namespace

PatternPart part_inside(const Query& query, const Hit& hit) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  const bool plus = query.strand == Strand::plus;
  return {plus ? hit.hang_left : hit.hang_right, length - (plus ? hit.hang_right : hit.hang_left)};
}

Query inside_of(const Query& query, std::uint32_t hang_left, std::uint32_t hang_right) {
  Query inside{query.pattern, query.strand, query.iupac, {}, query.limits};
  inside.sets = query.sets.subspan(hang_left, query.sets.size() - hang_left - hang_right);
  Limits& limits = inside.limits;
  limits.edits = query.overhang.edits[inside.sets.size()];
  limits.mismatches = std::min(limits.mismatches, limits.edits);
  limits.indels = std::min(limits.indels, limits.edits);
  return inside;
}

// Finds the hanging candidates of a batch.
class Overhangs::Search {
 public:
  Search(const Overhangs& overhangs, const PackedBatch& batch)
      : patterns_(overhangs.patterns_), mirrored_(overhangs.mirrored_), filter_(overhangs.filter_), batch_(batch) {}

  // Calls use(query, segment) for every segment and query with hanging candidates, which are then in candidates(), as
  // long as it returns true. Returns whether it always did.
  template <class Use>
  bool for_each_border(Use use) {
    for (const Segment& segment : batch_.segments()) {
      const bool left = segment.offset == 0;
      if (segment.end == segment.position || (!left && !segment.ends_record)) continue;
      possible_[0].clear();
      possible_[1].clear();
      if (left) filter_.find(batch_, segment, Border::left, possible_[0]);
      if (segment.ends_record) filter_.find(batch_, segment, Border::right, possible_[1]);
      queries_.clear();
      for (auto& possible : possible_) {
        std::sort(possible.begin(), possible.end());
        for (const PossibleHang& hang : possible) queries_.push_back(hang.query);
      }
      if (left && segment.ends_record) add_wider_queries(segment);
      std::sort(queries_.begin(), queries_.end());
      queries_.erase(std::unique(queries_.begin(), queries_.end()), queries_.end());
      for (const std::uint32_t query : queries_) {
        collect(segment, query);
        if (!candidates_.empty() && !use(query, segment)) return false;
      }
    }
    return true;
  }

  const std::vector<Candidate>& candidates() const { return candidates_; }

  // Whether a candidate is first among the whole candidates with its start, or end, that is inside.
  bool leads_whole(const Segment& segment, std::uint32_t query, const Candidate& candidate) {
    if (candidate.start >= segment.position) return leads(segment, query, candidate, Border::right);
    return candidate.end > segment.end || leads(segment, query, candidate, Border::left);
  }

 private:
  // The queries that may be wider than the record and hang over both of its ends.
  void add_wider_queries(const Segment& segment) {
    const std::uint32_t length = segment.end - segment.position;
    if (length + 2 > patterns_.max_length() + patterns_.max_edits()) return;
    for (std::uint32_t i = 0; i < patterns_.queries().size(); ++i) {
      const Query& query = patterns_.queries()[i];
      if (query.overhang.left == 0 || query.overhang.right == 0) continue;
      if (length + 2 <= query.sets.size() + query.limits.indels && may_span(segment, query)) queries_.push_back(i);
    }
  }

  // Whether the whole record, judged by its planes, can be aligned to a stretch of the query with the edits that the
  // longest such stretch may have.
  bool may_span(const Segment& segment, const Query& query) {
    const std::size_t length = segment.end - segment.position;
    const std::uint32_t limit = query.overhang.edits[std::min(query.sets.size(), length + query.limits.indels)];
    cells_.resize(length + 1);
    for (std::size_t i = 0; i <= length; ++i) cells_[i] = static_cast<std::uint32_t>(i);
    if (cells_.back() <= limit) return true;
    read_sets(batch_, segment.position, segment.end, text_);
    for (const BaseSet position : query.sets) {
      std::uint32_t diagonal = 0;
      for (std::size_t i = 1; i <= length; ++i) {
        const std::uint32_t before = cells_[i];
        const std::uint32_t mismatch = (position & text_[i - 1]) != 0 ? 0 : 1;
        cells_[i] = std::min(std::min(before, cells_[i - 1]) + 1, diagonal + mismatch);
        diagonal = before;
      }
      if (cells_.back() <= limit) return true;
    }
    return false;
  }

  void collect(const Segment& segment, std::uint32_t query) {
    candidates_.clear();
    for (const PossibleHang& hang : of_query(possible_[0], query)) collect_left(segment, query, hang.inside);
    for (const PossibleHang& hang : of_query(possible_[1], query)) collect_right(segment, query, hang.inside);
    if (segment.offset == 0 && segment.ends_record) collect_wide(segment, query);
  }

  static std::span<const PossibleHang> of_query(const std::vector<PossibleHang>& all, std::uint32_t query) {
    const auto [begin, end] =
        std::equal_range(all.begin(), all.end(), PossibleHang{query, 0},
                         [](const PossibleHang& a, const PossibleHang& b) { return a.query < b.query; });
    return {begin, end};
  }

  void collect_left(const Segment& segment, std::uint32_t query, std::uint32_t inside) {
    const Query& whole = patterns_.queries()[query];
    const auto hang = static_cast<std::uint32_t>(whole.sets.size()) - inside;
    const Query part = inside_of(whole, hang, 0);
    read_sets(batch_, segment.position,
              segment.position + std::min(segment.end - segment.position, inside + part.limits.indels), text_);
    scan_.run(part, text_);
    const std::int64_t start = std::int64_t{segment.position} - hang;
    for_each_cost([&](std::uint32_t length, Cost cost) {
      candidates_.push_back({start, std::int64_t{segment.position} + length, cost});
    });
  }

  void collect_right(const Segment& segment, std::uint32_t query, std::uint32_t inside) {
    const Query& whole = patterns_.queries()[query];
    const auto hang = static_cast<std::uint32_t>(whole.sets.size()) - inside;
    mirror_sets_.resize(inside);
    const Query part = mirrored(inside_of(whole, 0, hang), mirror_sets_);
    read_sets(batch_, segment.end - std::min(segment.end - segment.position, inside + part.limits.indels), segment.end,
              text_);
    std::reverse(text_.begin(), text_.end());
    scan_.run(part, text_);
    const std::int64_t end = std::int64_t{segment.end} + hang;
    for_each_cost([&](std::uint32_t length, Cost cost) {
      candidates_.push_back({std::int64_t{segment.end} - length, end, cost});
    });
  }

  // Candidates that hang over both ends of the record.
  void collect_wide(const Segment& segment, std::uint32_t query) {
    const Query& whole = patterns_.queries()[query];
    const auto positions = static_cast<std::uint32_t>(whole.sets.size());
    const std::uint32_t length = segment.end - segment.position;
    const std::uint32_t indels = whole.limits.indels;
    if (whole.overhang.left == 0 || whole.overhang.right == 0 || length + 2 > positions + indels) return;
    const std::uint32_t bases = std::max(whole.overhang.left, whole.overhang.right);
    for (std::uint32_t left = 1; left + 1 < positions; ++left) {
      const std::uint32_t longest = std::min(positions - left - 1, length + indels);
      for (std::uint32_t inside = std::max(1U, length - std::min(length, indels)); inside <= longest; ++inside) {
        const Query part = inside_of(whole, left, positions - left - inside);
        const auto is_any = [](BaseSet set) { return set == kAnyBase; };
        const auto any = static_cast<std::uint32_t>(std::count_if(part.sets.begin(), part.sets.end(), is_any));
        if (inside - any < bases) continue;
        read_sets(batch_, segment.position, segment.end, text_);
        scan_.run(part, text_);
        for_each_cost([&](std::uint32_t taken, Cost cost) {
          if (taken != length) return;
          candidates_.push_back(
              {std::int64_t{segment.position} - left, std::int64_t{segment.end} + (positions - left - inside), cost});
        });
      }
    }
  }

  template <class Use>
  void for_each_cost(Use use) {
    for (std::uint32_t i = 0; i < scan_.costs().size(); ++i) {
      if (scan_.costs()[i] != kNoAlignment && scan_.min_length() + i != 0)
        use(scan_.min_length() + i, scan_.costs()[i]);
    }
  }

  // `border`: where the candidate hangs over.
  bool leads(const Segment& segment, std::uint32_t query, const Candidate& candidate, Border border) {
    const Query& whole = patterns_.queries()[query];
    const std::uint32_t reach = static_cast<std::uint32_t>(whole.sets.size()) + whole.limits.indels;
    if (border == Border::right) {
      const auto start = static_cast<std::uint32_t>(candidate.start);
      read_sets(batch_, start, start + std::min(reach, segment.end - start), text_);
      scan_.run(whole, text_);
    } else {
      const auto end = static_cast<std::uint32_t>(candidate.end);
      read_sets(batch_, end - std::min(reach, end - segment.position), end, text_);
      std::reverse(text_.begin(), text_.end());
      scan_.run(mirrored_[query], text_);
    }
    const auto [length, cost] = scan_.best();
    return cost == kNoAlignment || candidate.rank() < Rank{cost.edits, cost.indels, length};
  }

  const PatternSet& patterns_;
  std::span<const Query> mirrored_;
  const OverhangFilter& filter_;
  const PackedBatch& batch_;
  std::vector<PossibleHang> possible_[2];  // at the borders of the segment
  std::vector<std::uint32_t> queries_;
  std::vector<Candidate> candidates_;
  CostScan scan_;
  std::vector<BaseSet> mirror_sets_;
  std::vector<BaseSet> text_;
  std::vector<std::uint32_t> cells_;
};

namespace {

Hit make_hit_of(const Segment& segment, std::uint32_t query, const Candidate& candidate) {
  const std::int64_t begin = std::max(candidate.start, std::int64_t{segment.position});
  const std::int64_t end = std::min(candidate.end, std::int64_t{segment.end});
  return {.position = static_cast<std::uint32_t>(begin),
          .length = static_cast<std::uint32_t>(end - begin),
          .query = query,
          .first = 0,
          .edits = static_cast<std::uint16_t>(candidate.cost.edits),
          .indels = static_cast<std::uint16_t>(candidate.cost.indels),
          .hang_left = static_cast<std::uint16_t>(begin - candidate.start),
          .hang_right = static_cast<std::uint16_t>(candidate.end - end)};
}

}  // namespace

bool Overhangs::add_sites(const PackedBatch& batch, std::vector<Hit>& hits, std::uint64_t max_hits) const {
  // The best rank of hanging candidates at each start, or end, inside the record; a hit that ranks worse is removed.
  std::map<std::pair<std::uint32_t, std::int64_t>, Rank> starts_inside;  // by query and position
  std::map<std::pair<std::uint32_t, std::int64_t>, Rank> ends_inside;
  std::vector<Hit> sites;
  Search search(*this, batch);
  const bool complete = search.for_each_border([&](std::uint32_t query, const Segment& segment) {
    BestRanks with_start;
    BestRanks with_end;
    for (const Candidate& candidate : search.candidates()) {
      add_rank(with_start, candidate.start, candidate.rank());
      add_rank(with_end, candidate.end, candidate.rank());
    }
    for (const auto& [start, rank] : with_start) {
      if (start >= segment.position) starts_inside[{query, start}] = rank;
    }
    for (const auto& [end, rank] : with_end) {
      if (end <= segment.end) ends_inside[{query, end}] = rank;
    }
    for (const Candidate& candidate : search.candidates()) {
      const Rank rank = candidate.rank();
      if (with_start.at(candidate.start) < rank || with_end.at(candidate.end) < rank) continue;
      if (search.leads_whole(segment, query, candidate)) sites.push_back(make_hit_of(segment, query, candidate));
    }
    return sites.size() <= max_hits;
  });
  if (!complete) return false;
  const auto beaten = [](const auto& ranks, std::uint32_t query, std::int64_t place, const Rank& rank) {
    const auto best = ranks.find({query, place});
    return best != ranks.end() && best->second < rank;
  };
  std::erase_if(hits, [&](const Hit& hit) {
    const Rank rank{hit.edits, hit.indels, hit.length};
    return beaten(starts_inside, hit.query, hit.position, rank) ||
           beaten(ends_inside, hit.query, std::int64_t{hit.position} + hit.length, rank);
  });
  hits.insert(hits.end(), sites.begin(), sites.end());
  return true;
}

bool Overhangs::add_all(const PackedBatch& batch, std::vector<Hit>& hits, std::uint64_t max_hits) const {
  Search search(*this, batch);
  return search.for_each_border([&](std::uint32_t query, const Segment& segment) {
    for (const Candidate& candidate : search.candidates()) hits.push_back(make_hit_of(segment, query, candidate));
    return hits.size() <= max_hits;
  });
}

}  // namespace basesweep
