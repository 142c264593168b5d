// Regions: joined, widened, and parsed from what users write.
#include <algorithm>
#include <stdexcept>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/reader/read_regions.hpp"
#include "lib/search/region_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_region_set {

using Catch::Matchers::Equals;

namespace {

using List = std::vector<Region>;

RegionSet parsed(const std::vector<std::string>& texts) {
  RegionSet regions = RegionSet::of_names();
  for (const std::string& text : texts) add_region(text, regions);
  return regions;
}

List only(const RegionSet& regions, const std::string& record) { return regions.of(0, record); }

}  // namespace

TEST_CASE("regions: sorted, and joined where they overlap or touch", "[regions]") {
  trial::Random random(1);
  for (int round = 0; round < 300; ++round) {
    RegionSet regions = RegionSet::of_names();
    std::vector<bool> inside(60);
    for (std::size_t i = random.between(0, 8); i-- != 0;) {
      const auto begin = static_cast<std::int64_t>(random.below(50));
      const auto end = begin + static_cast<std::int64_t>(random.below(10));
      regions.add("a", {begin, end});
      for (std::int64_t at = begin; at < end; ++at) inside[static_cast<std::size_t>(at)] = true;
    }
    List expected;
    for (std::int64_t at = 0; at < 60; ++at) {
      if (!inside[static_cast<std::size_t>(at)]) continue;
      if (expected.empty() || expected.back().end != at) expected.push_back({at, at});
      ++expected.back().end;
    }
    CHECK(only(regions, "a") == expected);
  }
}

TEST_CASE("regions: of a plan, by record number; the name is checked", "[regions]") {
  RegionSet regions = RegionSet::of_plan(5);
  regions.add(3, "chr4", 100, {10, 20});
  CHECK((regions.of(3, "chr4") == List{{10, 20}}));
  CHECK(regions.of(2, "chr4").empty());
  CHECK_THROWS_WITH(regions.of(5, "chr6"), Equals("record 'chr6' is not in the plan, which has 5 records with bases"));
  CHECK_THROWS_WITH(regions.of(3, "chr5"), Equals("record 4 with bases is 'chr5', the plan has 'chr4'"));
}

TEST_CASE("regions: widened, but not past the start, and joined where they then touch", "[regions]") {
  CHECK((widened({{3, 5}, {20, 30}}, 4, 2) == List{{0, 7}, {16, 32}}));
  CHECK((widened({{3, 5}, {10, 30}}, 4, 1) == List{{0, 31}}));
  CHECK(widened({}, 4, 1).empty());
}

TEST_CASE("regions: as users write them", "[regions]") {
  CHECK((only(parsed({"a"}), "a") == List{{0, kToTheEnd}}));
  CHECK((only(parsed({"a:5"}), "a") == List{{4, kToTheEnd}}));
  CHECK((only(parsed({"a:5-"}), "a") == List{{4, kToTheEnd}}));
  CHECK((only(parsed({"a:5-5", "a:1,000-2,000"}), "a") == List{{4, 5}, {999, 2000}}));
  CHECK((only(parsed({"HLA:A*01"}), "HLA:A*01") == List{{0, kToTheEnd}}));
  CHECK((only(parsed({"HLA:A*01:7-9"}), "HLA:A*01") == List{{6, 9}}));
  CHECK((only(parsed({"{a:7}"}), "a:7") == List{{0, kToTheEnd}}));
  CHECK((only(parsed({"{a:7}:1-2"}), "a:7") == List{{0, 2}}));
  const std::string bad = GENERATE("", ":1-2", "a:0-5", "a:0", "a:7-6", "{a", "{a}:x", "{}");
  CHECK_THROWS_AS(parsed({bad}), UsageError);
}

TEST_CASE("regions: a text that ends like a range is a record or a part of one", "[regions]") {
  const auto check = [](const std::vector<std::string>& texts, const std::vector<std::string>& records) {
    return parsed(texts).check_names(
        [&](const std::string& name) { return std::count(records.begin(), records.end(), name) != 0; }, records, "x");
  };
  CHECK(check({"A:1"}, {"A:1"}).empty());
  CHECK(check({"A:1"}, {"A"}).empty());
  CHECK(check({"A:1:2"}, {"A", "A:1"}).empty());
  CHECK(check({"A:1:2"}, {"A", "A:1:2"}).empty());
  CHECK(check({"{A:1}", "{A}:1", "{A:1}:2-9"}, {"A", "A:1"}).empty());
  CHECK_THROWS_WITH(check({"A:1"}, {"A", "A:1"}),
                    Equals("x: region A:1 may mean the record 'A:1' or a part of the record 'A': write {A:1} or {A}"));
  CHECK_THROWS_WITH(check({"A:5-9"}, {"A", "A:5-9"}),
                    Equals("x: region A:5-9 may mean the record 'A:5-9' or a part of the record 'A': write {A:5-9} or "
                           "{A}:5-9"));
  CHECK_THROWS_WITH(check({"A:5-9"}, {"B"}),
                    Equals("x: no record 'A' (nor 'A:5-9') with bases, but a region of it is requested"));
  const RegionSet both = parsed({"A:1:2"});
  CHECK((only(both, "A:1") == List{{1, kToTheEnd}}));
  CHECK((only(both, "A:1:2") == List{{0, kToTheEnd}}));
  CHECK(both.whole_name_of("A:1") == "A:1:2");
  CHECK(both.whole_name_of("A:1:2").empty());
}

TEST_CASE("regions: of a BED file", "[regions]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("a.bed");
  const auto read = [&](const std::string& text) {
    support::write_file(path, text);
    RegionSet regions = RegionSet::of_names();
    add_bed(path, AbsentRecord::refused, regions);
    return regions;
  };
  const RegionSet regions =
      read("# x\ntrack name=t\nbrowser position a\n\na\t5\t9\tname\t0\t+\r\na\t0\t6\nb c\t1\t1\nd\t7\t8");
  CHECK((regions.of(0, "a") == List{{0, 9}}));
  CHECK(regions.of(0, "b c").empty());
  CHECK((regions.of(0, "d") == List{{7, 8}}));
  CHECK_THROWS_WITH(read("a\t1\t2\na 1 2\n"),
                    Equals(path + ": line 2: expected record, start and end, separated by tabs"));
  CHECK_THROWS_WITH(read("a\t-1\t2\n"), Equals(path + ": line 1: start and end must be whole numbers"));
  CHECK_THROWS_WITH(read("a\t3\t2\n"), Equals(path + ": line 1: the region ends before it begins"));
  CHECK((read("#x\nchrom\tchromStart\tchromEnd\na\t5\t9\n").of(0, "a") == List{{5, 9}}));
  CHECK_THROWS_WITH(read("a\t5\t9\nchrom\tstart\tend\n"),
                    Equals(path + ": line 2: start and end must be whole numbers"));
  CHECK_THROWS_WITH(read("a\tx5\ty\n"), Equals(path + ": line 1: start and end must be whole numbers"));
}

}  // namespace basesweep::test_region_set
