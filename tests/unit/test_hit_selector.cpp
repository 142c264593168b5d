// HitSelector: --non-overlapping and --max-hits across the borders of records, segments and batches.
#include "lib/pipeline/hit_selector.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_hit_selector {

namespace {

// Queries: 0 = AA +, 1 = TT (AA -), 2 = ACG +, 3 = CGT (ACG -).
const PatternSet& patterns() {
  static const PatternSet set({{"aa", "AA"}, {"acg", "ACG"}}, StrandChoice::both, PalindromeChoice::once);
  return set;
}

struct SegmentOf {
  std::uint32_t position;
  std::int64_t record, offset;
};

// Returns a batch of 100 positions with these segments.
std::unique_ptr<PackedBatch> batch(const std::vector<SegmentOf>& segments) {
  auto made = std::make_unique<PackedBatch>(100, 3, std::pmr::get_default_resource());
  for (const SegmentOf& segment : segments) {
    made->append_filler(segment.position - made->positions());
    made->begin_segment("r", segment.record, segment.offset, segment.record);
  }
  made->append_filler(100 - made->positions());
  made->finish(0, 100);
  return made;
}

using Hits = std::vector<Hit>;

Hits hits(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& positions_and_queries) {
  Hits made;
  for (const auto& [position, query] : positions_and_queries) {
    made.push_back({position, query < 2 ? 2U : 3U, query, 0, 0, 0});
  }
  return made;
}

std::vector<std::uint32_t> positions(const Hits& hits) {
  std::vector<std::uint32_t> positions;
  for (const Hit& hit : hits) positions.push_back(hit.position);
  return positions;
}

using Positions = std::vector<std::uint32_t>;
using Counts = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("no option: all hits are kept and counted") {
  HitSelector selector(patterns(), {});
  Hits result = hits({{1, 0}, {2, 0}, {2, 2}, {50, 3}});
  selector.select(*batch({{0, 0, 0}}), result);
  CHECK(positions(result) == Positions{1, 2, 2, 50});
  CHECK(selector.counts() == Counts{2, 0, 1, 1});
  CHECK(selector.total() == 4);
  CHECK_FALSE(selector.truncated());
}

TEST_CASE("counts instead of hits") {
  HitSelector selector(patterns(), {});
  selector.add_counts({3, 0, 5, 1});
  selector.add_counts({3, 0, 5, 1});
  CHECK(selector.counts() == Counts{6, 0, 10, 2});
  CHECK(selector.total() == 18);
}

TEST_CASE("non-overlapping: per pattern and strand") {
  HitSelector selector(patterns(), {.non_overlapping = true});
  Hits result = hits({{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}, {3, 0}, {3, 2}, {5, 2}, {6, 0}});
  selector.select(*batch({{0, 0, 0}}), result);
  CHECK(positions(result) == Positions{0, 1, 2, 2, 5, 6});
  CHECK(selector.counts() == Counts{3, 1, 2, 0});
}

TEST_CASE("non-overlapping: starts anew in each record, but not in each segment or batch") {
  HitSelector selector(patterns(), {.non_overlapping = true});
  Hits first = hits({{0, 2}, {11, 2}, {22, 2}, {98, 2}});
  // Position 11 is offset 1 of record 1, position 22 is offset 2. Segments of a real batch do not overlap, but only
  // offsets count here.
  selector.select(*batch({{0, 0, 0}, {10, 1, 0}, {20, 1, 0}, {90, 1, 50}}), first);
  CHECK(positions(first) == Positions{0, 11, 98});
  Hits second = hits({{0, 2}, {1, 2}, {60, 2}});
  selector.select(*batch({{0, 1, 60}, {50, 2, 0}}), second);
  CHECK(positions(second) == Positions{1, 60});
}

TEST_CASE("at most N hits") {
  HitSelector selector(patterns(), {.max_hits = 3});
  Hits first = hits({{0, 0}, {1, 0}});
  selector.select(*batch({{0, 0, 0}}), first);
  CHECK_FALSE(selector.truncated());
  Hits second = hits({{0, 0}});
  selector.select(*batch({{0, 0, 100}}), second);
  CHECK(second.size() == 1);
  CHECK_FALSE(selector.truncated());  // it knows of no more hits
  Hits none;
  selector.select(*batch({{0, 0, 200}}), none);
  CHECK_FALSE(selector.truncated());
  Hits third = hits({{5, 0}, {6, 0}});
  selector.select(*batch({{0, 0, 300}}), third);
  CHECK(third.empty());
  CHECK(selector.truncated());
  CHECK(selector.total() == 3);
  CHECK(selector.counts() == Counts{3, 0, 0, 0});
}

TEST_CASE("non-overlapping, circular: a hit over the origin is dropped if it overlaps the first one kept") {
  for (const std::uint32_t first : {0U, 1U, 2U}) {
    HitSelector selector(patterns(), {.non_overlapping = true});
    auto made = std::make_unique<PackedBatch>(100, 3, std::pmr::get_default_resource());
    made->begin_segment("r", 0, 0, 0);
    made->mark_circular(50);
    made->append_filler(100);
    made->finish(0, 100);
    Hits result = hits({{first, 0}, {48, 3}, {49, 0}});  // [49, 51) goes over the origin as far as 1
    selector.select(*made, result);
    CHECK(positions(result) == (first == 0 ? Positions{0, 48} : Positions{first, 48, 49}));
  }
}

TEST_CASE("at most N hits that do not overlap") {
  HitSelector selector(patterns(), {.non_overlapping = true, .max_hits = 2});
  Hits result = hits({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  selector.select(*batch({{0, 0, 0}}), result);
  CHECK(positions(result) == Positions{0, 2});
  CHECK_FALSE(selector.truncated());
}

TEST_CASE("the first hit of a pattern is marked, on either strand") {
  for (const SelectOptions& options : {SelectOptions{}, SelectOptions{.max_hits = 100}}) {
    HitSelector selector(patterns(), options);
    Hits result = hits({{0, 1}, {1, 0}, {2, 2}, {3, 2}, {4, 3}});
    selector.select(*batch({{0, 0, 0}}), result);
    std::vector<unsigned> first;
    for (const Hit& hit : result) first.push_back(hit.first);
    CHECK(first == std::vector<unsigned>{1, 0, 1, 0, 0});
    Hits more = hits({{0, 0}});
    selector.select(*batch({{0, 0, 100}}), more);
    CHECK(more[0].first == 0);
  }
}

TEST_CASE("best: a hit that cannot be best is dropped at once, the others at the end") {
  HitSelector selector(patterns(), {.best = true, .max_hits = 2});
  const auto with_edits = [](Hits made, const std::vector<std::uint16_t>& edits) {
    for (std::size_t i = 0; i < made.size(); ++i) made[i].edits = edits[i];
    return made;
  };
  Hits first = with_edits(hits({{0, 0}, {1, 1}, {2, 0}, {3, 2}}), {2, 1, 2, 1});
  selector.select(*batch({{0, 0, 0}}), first);
  CHECK(positions(first) == Positions{1, 3});
  Hits second = with_edits(hits({{5, 0}, {6, 3}, {7, 2}}), {1, 0, 1});
  selector.select(*batch({{0, 0, 100}}), second);
  CHECK(positions(second) == Positions{5, 6});
  CHECK(selector.total() == 0);
  CHECK(selector.keep(0, 1, first[0]));
  CHECK(first[0].first == 1);
  CHECK_FALSE(selector.keep(0, 3, first[1]));  // by now its pattern was found without edits
  CHECK(selector.keep(0, 105, second[0]));
  CHECK(second[0].first == 0);
  CHECK_FALSE(selector.truncated());
  CHECK_FALSE(selector.keep(0, 106, second[1]));
  CHECK(selector.truncated());
  CHECK(selector.counts() == Counts{1, 1, 0, 0});
}

TEST_CASE("hits are counted by file and by number of edits") {
  const PatternSet set({{"p", "ACGT"}, {"q", "ACCA"}}, StrandChoice::plus, PalindromeChoice::once, {.edits = 2});
  PackedBatch two(100, 4, std::pmr::get_default_resource());
  two.begin_segment("a", 0, 0, 0, 0);
  two.append_filler(50);
  two.begin_segment("b", 1, 0, 1, 2);
  two.append_filler(50);
  two.finish(0, 100);
  const Hits found{
      {1, 4, 0, 0, 0, 0}, {9, 4, 1, 0, 2, 0}, {50, 4, 1, 0, 1, 0}, {50, 4, 1, 0, 1, 0}, {60, 4, 0, 0, 0, 0}};
  const bool by_source = GENERATE(true, false);
  const bool by_edits = GENERATE(true, false);
  HitSelector selector(set, {.by_source = by_source, .by_edits = by_edits});
  Hits result = found;
  selector.select(two, result);
  CHECK(result.size() == found.size());
  CHECK(selector.counts() == Counts{2, 3});
  const FineCounts& fine = selector.fine_counts();
  CHECK(fine.width == (by_edits ? 3 : 1));
  if (!by_source && !by_edits) {
    CHECK(fine.counts.empty());
  } else if (!by_source) {
    CHECK((fine.at(0, 0, 0) == 2 && fine.at(0, 0, 1) == 0 && fine.at(0, 1, 1) == 2 && fine.at(0, 1, 2) == 1));
  } else if (by_edits) {
    CHECK((fine.at(0, 0, 0) == 1 && fine.at(0, 1, 2) == 1 && fine.at(0, 1, 1) == 0));
    CHECK((fine.at(1, 0, 0) == 0 && fine.at(2, 0, 0) == 1 && fine.at(2, 1, 1) == 2 && fine.at(3, 1, 1) == 0));
  } else {
    CHECK((fine.at(0, 0, 0) == 1 && fine.at(0, 1, 0) == 1 && fine.at(2, 0, 0) == 1 && fine.at(2, 1, 0) == 2));
  }
}

}  // namespace basesweep::test_hit_selector
