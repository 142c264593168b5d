// Guides: the nearest places and totals of each, what is taken off their sequences, names that several share.
#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/guides/guide_names.hpp"
#include "lib/guides/guide_table.hpp"
#include "lib/guides/held_pam.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_guide_table {

namespace {

const std::string kTwenty = "GACCGATTCGGACTTAGCCA";

GuideTotals totals_of(std::uint64_t exact, std::vector<NearPlace> places) {
  GuideTotals totals;
  totals.counts = {exact, 0};
  for (const NearPlace& place : places) totals.add(place);
  return totals;
}

NearPlace place(std::uint32_t bulge, std::uint32_t mismatches, std::int64_t record, std::int64_t start) {
  NearPlace near;
  near.bulge_size = bulge;
  near.mismatches = mismatches;
  near.record = record;
  near.start = start;
  return near;
}

}  // namespace

TEST_CASE("guide totals: the nearest place has the least bulge, then mismatches, then comes first", "[guides]") {
  const GuideTotals totals =
      totals_of(0, {place(1, 0, 0, 5), place(0, 3, 0, 70), place(0, 3, 0, 20), place(0, 4, 0, 1)});
  REQUIRE_FALSE(totals.nearest.empty());
  CHECK(totals.nearest.front().start == 20);
  CHECK(totals.nearest.size() <= 2);
}

TEST_CASE("guide totals: those of later text are added, and the earlier of equal places stays", "[guides]") {
  GuideTotals first = totals_of(1, {place(0, 1, 0, 9)});
  first.cfd = 50, first.exact_cfd = 40;
  GuideTotals later = totals_of(2, {place(0, 1, 1, 2)});
  later.cfd = 70, later.exact_cfd = 60;
  first.add(later);
  CHECK(first.counts.front() == 3);
  CHECK(first.places() == 3);
  CHECK(first.cfd_off_targets() == 50 + 70 - 60);  // without one exact copy, that of the greatest score
  CHECK(first.nearest.front().record == 0);
}

TEST_CASE("guides: the PAM is taken off where all sequences hold it beside a whole guide", "[guides]") {
  const PamChoice choice{.pams = {"NGG"}};
  const std::vector<std::string> pams{"NGG"};
  const PamParts held = find_pam_parts({{"a", kTwenty + "TGG"}, {"b", kTwenty + "AGG"}}, pams, choice);
  CHECK(held.held == HeldPam::pam);
  CHECK(held.lengths == std::vector<std::size_t>{3, 3});
  CHECK(find_pam_parts({{"a", kTwenty + "TGG"}, {"b", kTwenty}}, pams, choice).held == HeldPam::nothing);
  const PamParts codes = find_pam_parts({{"a", kTwenty + "NNN"}, {"b", kTwenty + "NNN"}}, pams, choice);
  CHECK(codes.held == HeldPam::placeholder);
}

TEST_CASE("guides: sequences that can be read in two ways are refused", "[guides]") {
  const PamChoice choice{.pams = {"NGG"}};
  const std::string short_one = kTwenty.substr(0, 17) + "AGG";
  std::vector<Pattern> patterns;
  for (const char* name : {"a", "b", "c"}) patterns.push_back({name, short_one});
  CHECK(find_pam_parts(patterns, {"NGG"}, choice).held == HeldPam::nothing);  // chance, or one sequence given again
  patterns = {{"a", "A" + short_one.substr(1)},
              {"b", "C" + short_one.substr(1)},
              {"c", "G" + short_one.substr(1)},
              {"d", "T" + short_one.substr(1)}};
  CHECK_THROWS_AS(find_pam_parts(patterns, {"NGG"}, choice), UsageError);
}

TEST_CASE("guides: a name of several sequences gets numbers that are free", "[guides]") {
  std::vector<Pattern> guides{{"gene", "AAAA"}, {"gene", "CCCC"}, {"gene_1", "GGGG"}, {"gene", "AAAA"}};
  const GuideNames names = number_names(guides);
  CHECK(names.given == std::vector<std::string>{"gene", "gene", "gene_1", "gene"});
  CHECK(guides[0].name == guides[3].name);
  CHECK(guides[0].name != guides[1].name);
  CHECK(guides[0].name != "gene_1");
  CHECK(guides[2].name == "gene_1");
  CHECK(names.repeats == std::vector<bool>{false, false, false, true});
  std::vector<Pattern> own{{"a", "AAAA"}, {"b", "CCCC"}};
  CHECK(number_names(own).given.empty());
}

}  // namespace basesweep::test_guide_table
