// The library's call for CRISPR guides.
#include <fmt/format.h>

#include <basesweep/guides.hpp>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_guides_library {

namespace {

const char* const kGuide = "GACGTTACCATGGCATTGCA";

std::string print(const OffTarget& place) {
  return fmt::format("{} {}-{} {} {} bulge {} of {} mismatches {}\n", place.record, place.start, place.end, place.guide,
                     place.strand, static_cast<int>(place.bulge), place.bulge_size, place.mismatches);
}

}  // namespace

TEST_CASE("the library finds places of guides", "[guides]") {
  const Guides guides({{"g", kGuide}}, {.mismatches = 1, .max_dna_bulges = 1, .max_rna_bulges = 1});
  // An exact copy; one mismatch on the other strand; a DNA bulge; an RNA bulge; no PAM.
  const std::string text = std::string("TT") + kGuide + "TGGAA" + "CCATGCAATGCCATGGTAACCTC" + "A" +
                           "GACGTTACCAATGGCATTGCATGG" + "C" + "GACGTTACCTGGCATTGCAAGG" + "T" + kGuide + "TAG";
  std::string lines;
  for (const OffTarget& place : guides.find(text)) {
    lines += print(place);
    CHECK(place.cfd.has_value());
    CHECK(place.mit.has_value() == (place.bulge == BulgeKind::none));
  }
  CHECK(lines ==
        "0 2-25 0 + bulge 0 of 0 mismatches 0\n"
        "0 27-50 0 - bulge 0 of 0 mismatches 1\n"
        "0 51-75 0 + bulge 1 of 1 mismatches 0\n"
        "0 76-98 0 + bulge 2 of 1 mismatches 0\n");
  const NamedSequence record{"r", text};
  const GuidesResult result = guides.search({&record, 1});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].places == 4);
  CHECK(result.rows[0].counts == std::vector<std::uint64_t>{1, 1, 2, 0});
  CHECK(*result.rows[0].cfd_specificity < 100);
  CHECK(!result.rows[0].unique);
}

TEST_CASE("places come from records and from files alike", "[guides]") {
  const support::ScratchFolder folder;
  const std::string site = std::string(kGuide) + "AGG";
  support::write_file(folder.path("text.fa"), ">one\n" + site + "\n>empty\n>two\nA" + site + "\n");
  const Guides guides({{"a", kGuide}, {"b", "ACACACACACACACACACAC"}}, {.mismatches = 0});
  std::string lines;
  const auto take = [&](const OffTarget& place) {
    lines += fmt::format("{} {} {} {} {}\n", place.record_name, place.record, place.start, place.aligned_guide,
                         place.aligned_text);
  };
  const GuidesResult in_files = guides.search_files({folder.path("text.fa")}, take);
  const std::string rows = fmt::format("{}NGG {}", kGuide, site);
  CHECK(lines == fmt::format("one 0 0 {0}\ntwo 1 1 {0}\n", rows));
  support::write_file(folder.path("empty.fa"), "");
  CHECK(in_files.warnings.empty());
  CHECK(guides.search_files({folder.path("empty.fa")}).warnings.size() == 1);
  lines.clear();
  const std::string second = "A" + site;
  const std::vector<NamedSequence> records{{"one", site}, {"empty", ""}, {"two", second}};
  const GuidesResult in_memory = guides.search(records, take);
  CHECK(lines == fmt::format("one 0 0 {0}\ntwo 2 1 {0}\n", rows));
  for (const GuidesResult* result : {&in_files, &in_memory}) {
    REQUIRE(result->rows.size() == 2);
    CHECK(result->rows[0].places == 2);
    CHECK(std::abs(*result->rows[0].cfd_specificity - 50) < 1e-6);  // the other copy scores 1
    CHECK(result->rows[1].places == 0);
    CHECK(!result->rows[1].mit_specificity);  // no place, so there is nothing to score
    CHECK(!result->rows[1].cfd_specificity);
  }
  const NamedSequence once{"once", site};
  CHECK(guides.search({&once, 1}).rows[0].unique);
}

TEST_CASE("the library refuses guides and options that cannot be", "[guides]") {
  const auto make = [](const std::string& bases, const GuideOptions& options) { Guides({{"g", bases}}, options); };
  CHECK_THROWS_AS(Guides({}), UsageError);
  CHECK_THROWS_AS(make("ACGT", {}), UsageError);
  CHECK_THROWS_AS(make("ACGTACGTACGTACGTACG!", {}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.pams = {}}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.pams = {"N-G"}}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.pam_in_guide = true}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.mismatches = 20}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.max_dna_bulges = 10}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.seed_mismatches = 1}), UsageError);
  CHECK_THROWS_AS(make(kGuide, {.threads = -1}), UsageError);
  CHECK_THROWS_AS(Guides({{"g", kGuide}, {"g", kGuide}}), UsageError);
}

}  // namespace basesweep::test_guides_library
