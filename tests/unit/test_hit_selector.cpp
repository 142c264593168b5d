// HitSelector: --non-overlapping and --max-hits, over borders of records, pieces and batches.
#include "lib/pipeline/hit_selector.hpp"
#include "tests/support/catch.hpp"

using namespace basesweep;

namespace {

// Entries: 0 = AA +, 1 = TT (AA -), 2 = ACG +, 3 = CGT (ACG -).
const PatternSet& patterns() {
  static const PatternSet set({{"aa", "AA"}, {"acg", "ACG"}}, StrandChoice::both, PalindromeChoice::once);
  return set;
}

struct PieceOf {
  std::uint32_t column;
  std::int64_t record, offset;
};

// A batch with the pieces, and 100 columns.
std::unique_ptr<PackedBatch> batch(const std::vector<PieceOf>& pieces) {
  auto made = std::make_unique<PackedBatch>(100, 3, std::pmr::get_default_resource());
  for (const PieceOf& piece : pieces) {
    made->append_filler(piece.column - made->columns());
    made->begin_piece("r", piece.record, piece.offset, piece.record);
  }
  made->append_filler(100 - made->columns());
  made->finish(0, 100);
  return made;
}

using Hits = std::vector<Hit>;

Hits hits(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& columns_and_entries) {
  Hits made;
  for (const auto& [column, entry] : columns_and_entries) {
    made.push_back({column, entry < 2 ? 2U : 3U, entry, 0, 0, 0});
  }
  return made;
}

std::vector<std::uint32_t> columns(const Hits& hits) {
  std::vector<std::uint32_t> columns;
  for (const Hit& hit : hits) columns.push_back(hit.column);
  return columns;
}

using Columns = std::vector<std::uint32_t>;
using Counts = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("nothing asked for: all hits leave and are counted") {
  HitSelector selector(patterns(), {});
  Hits result = hits({{1, 0}, {2, 0}, {2, 2}, {50, 3}});
  selector.select(*batch({{0, 0, 0}}), result);
  CHECK(columns(result) == Columns{1, 2, 2, 50});
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
  CHECK(columns(result) == Columns{0, 1, 2, 2, 5, 6});
  CHECK(selector.counts() == Counts{3, 1, 2, 0});
}

TEST_CASE("non-overlapping: records begin afresh, pieces and batches do not") {
  HitSelector selector(patterns(), {.non_overlapping = true});
  Hits first = hits({{0, 2}, {11, 2}, {22, 2}, {98, 2}});
  // Column 11 is place 1 of record 1, column 22 place 2 of it (no piece of a real batch overlaps, but offsets count).
  selector.select(*batch({{0, 0, 0}, {10, 1, 0}, {20, 1, 0}, {90, 1, 50}}), first);
  CHECK(columns(first) == Columns{0, 11, 98});
  Hits second = hits({{0, 2}, {1, 2}, {60, 2}});
  selector.select(*batch({{0, 1, 60}, {50, 2, 0}}), second);
  CHECK(columns(second) == Columns{1, 60});
}

TEST_CASE("at most so many hits") {
  HitSelector selector(patterns(), {.max_hits = 3});
  Hits first = hits({{0, 0}, {1, 0}});
  selector.select(*batch({{0, 0, 0}}), first);
  CHECK_FALSE(selector.truncated());
  Hits second = hits({{0, 0}});
  selector.select(*batch({{0, 0, 100}}), second);
  CHECK(second.size() == 1);
  CHECK_FALSE(selector.truncated());  // no more is known of
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

TEST_CASE("at most so many of those that do not overlap") {
  HitSelector selector(patterns(), {.non_overlapping = true, .max_hits = 2});
  Hits result = hits({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  selector.select(*batch({{0, 0, 0}}), result);
  CHECK(columns(result) == Columns{0, 2});
  CHECK_FALSE(selector.truncated());
}

TEST_CASE("the first hit of a pattern is told, whichever strand it is on") {
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

TEST_CASE("best: what cannot be best is dropped at once, the rest at the end") {
  HitSelector selector(patterns(), {.best = true, .max_hits = 2});
  const auto with_edits = [](Hits made, const std::vector<std::uint16_t>& edits) {
    for (std::size_t i = 0; i < made.size(); ++i) made[i].edits = edits[i];
    return made;
  };
  Hits first = with_edits(hits({{0, 0}, {1, 1}, {2, 0}, {3, 2}}), {2, 1, 2, 1});
  selector.select(*batch({{0, 0, 0}}), first);
  CHECK(columns(first) == Columns{1, 3});
  Hits second = with_edits(hits({{5, 0}, {6, 3}, {7, 2}}), {1, 0, 1});
  selector.select(*batch({{0, 0, 100}}), second);
  CHECK(columns(second) == Columns{5, 6});
  CHECK(selector.total() == 0);
  CHECK(selector.keep(0, 1, first[0]));
  CHECK(first[0].first == 1);
  CHECK_FALSE(selector.keep(0, 3, first[1]));  // its pattern was found with no edit since
  CHECK(selector.keep(0, 105, second[0]));
  CHECK(second[0].first == 0);
  CHECK_FALSE(selector.truncated());
  CHECK_FALSE(selector.keep(0, 106, second[1]));
  CHECK(selector.truncated());
  CHECK(selector.counts() == Counts{1, 1, 0, 0});
}
