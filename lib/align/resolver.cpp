#include "lib/align/resolver.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <tuple>
#include <utility>

#include "lib/align/cost.hpp"
#include "lib/align/text_sets.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

auto interval(const Hit& hit) { return std::tuple(hit.position, hit.length); }

// The cost by which minima are compared.
Cost cost_of(const Hit& hit) { return {hit.edits_and_hang(), hit.indels}; }

Hit make_hit_of(std::uint32_t position, std::uint32_t length, std::uint32_t query, Cost cost) {
  return {.position = position,
          .length = length,
          .query = query,
          .first = 0,
          .edits = static_cast<std::uint16_t>(cost.edits),
          .indels = static_cast<std::uint16_t>(cost.indels)};
}

}  // namespace

// A candidate of a query with m positions is m - indels to m + indels long. If it starts in the batch's own positions,
// it reaches at most m + indels - 1 past them. Candidates with the same end start at most 2 indels <= m + indels - 1
// before it. For minima, a site that overlaps it starts at most m + indels - 1 before or after it, and all candidates
// that share the start or end of that site are needed too. Candidates that hang over are shorter inside the record.
std::uint32_t halo_positions(const PatternSet& patterns, Report report) {
  std::uint32_t reach = 0;
  for (const Query& query : patterns.queries()) {
    reach = std::max(reach, static_cast<std::uint32_t>(query.sets.size()) + query.limits.indels - 1);
  }
  return report == Report::minima ? 2 * reach : reach;
}

// Collects the hits of one batch.
class Resolver::Search {
 public:
  Search(const Resolver& resolver, const PackedBatch& batch)
      : resolver_(resolver), batch_(batch), view_(batch.view()) {}

  // Adds the hits among the candidates whose last position is `last`, which is in the segment.
  void add_end(const Segment& segment, std::uint32_t last, std::uint32_t query) {
    const Query& e = resolver_.patterns_.queries()[query];
    const auto length = static_cast<std::uint32_t>(e.sets.size());
    if (resolver_.report_ != Report::minima && !may_own_start(last + 1, length, e.limits.indels)) return;
    if (is_ungapped(e)) {
      if (last - segment.position + 1 < length) return;
      const std::uint32_t start = last + 1 - length;
      if (!touches_letters(start, last + 1)) return add_ungapped(start, query);
    }
    Group& group = groups_[query % kGroups];
    if (!group.takes(segment, query, last + 1)) finish(group);
    if (group.count == 0) group.begin_with(segment, query);
    group.ends[group.count++] = last + 1;
  }

  // To be called after the last end.
  void finish() {
    for (Group& group : groups_) finish(group);
  }

  // Or in reach of what the batch owns.
  bool owned(std::uint32_t position) const {
    return position >= view_.own_begin && position < std::uint64_t{view_.own_end} + resolver_.reach_;
  }

  std::vector<Hit> hits;

 private:
  // Whether a candidate of a query with `length` positions may start where owned() is true, if it ends at `end`,
  // exclusive.
  bool may_own_start(std::uint32_t end, std::uint32_t length, std::uint32_t indels) const {
    const std::uint32_t first = end - std::min(end, length + indels);
    const std::uint32_t last = end - std::min(end, length - std::min(length, indels));
    return last >= view_.own_begin && first < std::uint64_t{view_.own_end} + resolver_.reach_;
  }

  // Whether some of positions [begin, end) hold a letter other than A, C, G and T.
  bool touches_letters(std::uint32_t begin, std::uint32_t end) {
    const std::vector<LetterRun>& letters = batch_.letters();
    while (letter_run_ != letters.size() && letters[letter_run_].end <= begin) ++letter_run_;
    while (letter_run_ != 0 && letters[letter_run_ - 1].end > begin) --letter_run_;
    return letter_run_ != letters.size() && letters[letter_run_].begin < end;
  }

  // Adds positions [start, start + length) if they are a hit. Each candidate of such a query has a start and an end of
  // its own, so all are sites.
  void add_ungapped(std::uint32_t start, std::uint32_t query) {
    if (resolver_.report_ != Report::minima && !owned(start)) return;
    const Query& e = resolver_.patterns_.queries()[query];
    const Ungapped form = ungapped(e);
    const std::uint64_t different =
        mismatches(form.block, positions_at(view_.lo, start), positions_at(view_.hi, start));
    const auto count = static_cast<std::uint32_t>(std::popcount(different));
    if (count > std::min(e.limits.edits, e.limits.mismatches) || (different & form.clamped) != 0) return;
    hits.push_back(make_hit_of(start, static_cast<std::uint32_t>(e.sets.size()), query, {count, 0}));
  }

  // Ends of one query that are near each other, to be aligned at once. Exclusive ends.
  struct Group {
    const Segment* segment = nullptr;
    std::uint32_t query = 0;
    std::uint32_t count = 0;
    std::array<std::uint32_t, CostScan::kMaxTexts> ends{};
    // The last answer of first_end(): candidates cluster, and those of a cluster mostly have the same best start.
    std::uint32_t known_start = 0;
    std::uint32_t known_end = 0;  // 0: there is none

    bool takes(const Segment& of, std::uint32_t of_query, std::uint32_t end) const {
      constexpr std::uint32_t kNear = 256;
      return count == 0 || (segment == &of && query == of_query && count < ends.size() && end < ends[0] + kNear);
    }
    void begin_with(const Segment& of, std::uint32_t of_query) {
      if (query != of_query || segment != &of) known_end = 0;
      segment = &of;
      query = of_query;
    }
  };
  static constexpr std::size_t kGroups = 64;

  // A candidate that is the best of its end.
  struct BestOfEnd {
    std::uint32_t start;
    std::uint32_t end;
    Cost cost;
  };

  // Adds the hits of the group's ends, and empties it.
  void finish(Group& group) {
    if (group.count == 0) return;
    const std::span<const std::uint32_t> ends(group.ends.data(), std::exchange(group.count, 0));
    scan_back(*group.segment, group.query, ends);
    if (resolver_.report_ == Report::all) {
      for (std::size_t i = 0; i < ends.size(); ++i) add_all(i, ends[i], group.query);
      return;
    }
    BestOfEnd best[CostScan::kMaxTexts];
    std::size_t count = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto [length, cost] = scan_.best(i);
      if (cost == kNoAlignment) continue;
      if (resolver_.report_ != Report::minima && !owned(ends[i] - length)) continue;
      best[count++] = {ends[i] - length, ends[i], cost};
    }
    add_sites(group, std::span(best, count));
  }

  CostScan::Wanted wanted() const {
    return resolver_.report_ == Report::all ? CostScan::Wanted::costs : CostScan::Wanted::best;
  }

  // Aligns the query, backwards, to the text before each end.
  void scan_back(const Segment& segment, std::uint32_t query, std::span<const std::uint32_t> ends) {
    const Query& e = resolver_.patterns_.queries()[query];
    const std::uint32_t reach = static_cast<std::uint32_t>(e.sets.size()) + e.limits.indels;
    const std::uint32_t last = ends.back();
    read_sets(batch_, ends.front() - std::min(ends.front() - segment.position, reach), last, text_);
    std::reverse(text_.begin(), text_.end());
    std::span<const BaseSet> texts[CostScan::kMaxTexts];
    for (std::size_t i = 0; i < ends.size(); ++i) texts[i] = std::span(text_).subspan(last - ends[i]);
    if (resolver_.mirrored_.empty()) {
      mirror_sets_.resize(e.sets.size());
      scan_.run(mirrored(e, mirror_sets_), std::span(texts, ends.size()), wanted());
    } else {
      scan_.run(resolver_.mirrored_[query], std::span(texts, ends.size()), wanted());
    }
  }

  void add_all(std::size_t text, std::uint32_t end, std::uint32_t query) {
    for (std::uint32_t i = 0; i < scan_.costs(text).size(); ++i) {
      const Cost cost = scan_.costs(text)[i];
      const std::uint32_t length = scan_.min_length() + i;
      if (cost != kNoAlignment && owned(end - length)) hits.push_back(make_hit_of(end - length, length, query, cost));
    }
  }

  // Adds those candidates, in the order of their ends, that are also the best by rank of all with their start.
  void add_sites(Group& group, std::span<const BestOfEnd> candidates) {
    starts_.clear();
    for (const BestOfEnd& one : candidates) {
      const bool known = group.known_end != 0 && group.known_start == one.start;
      if (!known && std::find(starts_.begin(), starts_.end(), one.start) == starts_.end()) starts_.push_back(one.start);
    }
    const std::uint32_t known_start = group.known_start;
    const std::uint32_t known_end = group.known_end;
    std::uint32_t first_ends[CostScan::kMaxTexts];
    if (!starts_.empty()) find_first_ends(*group.segment, group.query, first_ends);
    for (const BestOfEnd& one : candidates) {
      const auto found =
          static_cast<std::size_t>(std::find(starts_.begin(), starts_.end(), one.start) - starts_.begin());
      const std::uint32_t first = found == starts_.size() ? known_end : first_ends[found];
      if (first == one.end) hits.push_back(make_hit_of(one.start, one.end - one.start, group.query, one.cost));
      group.known_start = found == starts_.size() ? known_start : one.start;
      group.known_end = first;
    }
  }

  // Finds the end, exclusive, of the best candidate by rank with each of starts_.
  void find_first_ends(const Segment& segment, std::uint32_t query, std::uint32_t* ends) {
    const Query& e = resolver_.patterns_.queries()[query];
    const auto length = static_cast<std::uint32_t>(e.sets.size());
    if (e.limits.indels == 0) {
      std::transform(starts_.begin(), starts_.end(), ends, [length](std::uint32_t start) { return start + length; });
      return;
    }
    const auto [first, last] = std::minmax_element(starts_.begin(), starts_.end());
    const std::uint32_t begin = *first;
    read_sets(batch_, begin, *last + std::min(length + e.limits.indels, segment.end - *last), text_);
    std::span<const BaseSet> texts[CostScan::kMaxTexts];
    for (std::size_t i = 0; i < starts_.size(); ++i) texts[i] = std::span(text_).subspan(starts_[i] - begin);
    scan_.run(e, std::span(texts, starts_.size()), CostScan::Wanted::best);
    for (std::size_t i = 0; i < starts_.size(); ++i) ends[i] = starts_[i] + scan_.best(i).length;
  }

  const Resolver& resolver_;
  const PackedBatch& batch_;
  PackedView view_;
  std::size_t letter_run_ = 0;  // index in the batch's letters: the first run that ends past the last start
  CostScan scan_;
  std::vector<BaseSet> text_;
  std::vector<BaseSet> mirror_sets_;
  std::vector<std::uint32_t> starts_;
  std::array<Group, kGroups> groups_{};
};

Resolver::Resolver(const PatternSet& patterns, Report report, bool skip_soft_masked, std::uint32_t reach)
    : patterns_(patterns), report_(report), skip_soft_masked_(skip_soft_masked), reach_(reach) {
  const std::vector<Query>& queries = patterns.queries();
  const bool overhangs =
      std::any_of(queries.begin(), queries.end(), [](const Query& query) { return query.overhang.any(); });
  if (overhangs || !std::all_of(queries.begin(), queries.end(), is_ungapped)) {
    std::size_t positions = 0;
    for (const Query& query : queries) positions += query.sets.size();
    mirrored_sets_.resize(positions);
    mirrored_.reserve(queries.size());
    std::span<BaseSet> rest = mirrored_sets_;
    for (const Query& query : queries) {
      mirrored_.push_back(mirrored(query, rest.first(query.sets.size())));
      rest = rest.subspan(query.sets.size());
    }
  }
  if (overhangs) overhangs_.emplace(patterns, mirrored_);
}

bool Resolver::is_ungapped(const Query& query) {
  return query.limits.indels == 0 && query.sets.size() <= kMatchBlockPositions;
}

Resolver::Ungapped Resolver::ungapped(const Query& query) {
  const auto length = static_cast<std::uint32_t>(query.sets.size());
  const Limits& limits = query.limits;
  std::uint64_t clamped = 0;
  for (std::uint32_t i = 0; i < limits.clamp_left; ++i) clamped |= std::uint64_t{1} << i;
  for (std::uint32_t i = length - limits.clamp_right; i < length; ++i) clamped |= std::uint64_t{1} << i;
  return {match_block(query.sets, 0, length), clamped};
}

std::vector<Hit> Resolver::resolve(const PackedBatch& batch, std::span<const Occurrence> ends) const {
  return *resolve(batch, ends, std::numeric_limits<std::uint64_t>::max());
}

std::optional<std::vector<Hit>> Resolver::resolve(const PackedBatch& batch, std::span<const Occurrence> ends,
                                                  std::uint64_t max_hits) const {
  if (ends.empty() && !overhangs_) return std::vector<Hit>();
  Search search(*this, batch);
  auto segment = batch.segments().begin();
  for (const Occurrence end : ends) {
    while (segment != batch.segments().end() && segment->end <= occurrence_position(end)) ++segment;
    if (segment == batch.segments().end()) break;
    if (segment->position <= occurrence_position(end))
      search.add_end(*segment, occurrence_position(end), occurrence_query(end));
    if (search.hits.size() > max_hits) return std::nullopt;
  }
  search.finish();
  std::vector<Hit> hits = std::move(search.hits);
  if (overhangs_) {
    const bool all = report_ == Report::all;
    if (!(all ? overhangs_->add_all(batch, hits, max_hits) : overhangs_->add_sites(batch, hits, max_hits)))
      return std::nullopt;
  }
  if (report_ == Report::minima) keep_minima(hits);
  std::erase_if(hits, [&](const Hit& hit) {
    return !search.owned(hit.position) ||
           (skip_soft_masked_ && batch.touches_soft_masked(hit.position, hit.position + hit.length));
  });
  sort(hits);
  return hits;
}

void Resolver::keep_minima(std::vector<Hit>& sites) const {
  std::sort(sites.begin(), sites.end(), [](const Hit& a, const Hit& b) {
    return std::tuple(a.query, interval(a)) < std::tuple(b.query, interval(b));
  });
  std::vector<Hit> minima;
  for (auto site = sites.begin(); site != sites.end(); ++site) {
    const Query& query = patterns_.queries()[site->query];
    const std::uint32_t longest = static_cast<std::uint32_t>(query.sets.size()) + query.limits.indels;
    const std::uint32_t end = site->position + site->length;
    const auto beats = [&](const Hit& other) {
      return other.position < end && other.position + other.length > site->position && cost_of(other) < cost_of(*site);
    };
    bool beaten = false;
    for (auto other = site; !beaten && other != sites.begin();) {
      --other;
      if (other->query != site->query || other->position + longest <= site->position) break;
      beaten = beats(*other);
    }
    for (auto other = site + 1; !beaten && other != sites.end(); ++other) {
      if (other->query != site->query || other->position >= end) break;
      beaten = beats(*other);
    }
    if (!beaten) minima.push_back(*site);
  }
  sites = std::move(minima);
}

void Resolver::sort(std::vector<Hit>& hits) const {
  // The order of hits with the same interval.
  const auto rest = [&](const Hit& hit) {
    const Query& query = patterns_.queries()[hit.query];
    const PatternPart inside = part_inside(query, hit);
    return std::tuple(query.strand, query.pattern, inside.begin, inside.end, hit.query);
  };
  const auto before = [&](const Hit& a, const Hit& b) {
    return interval(a) != interval(b) ? interval(a) < interval(b) : rest(a) < rest(b);
  };
  if (!std::is_sorted(hits.begin(), hits.end(), before)) std::sort(hits.begin(), hits.end(), before);
  hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
}

}  // namespace basesweep
