// The library's in-silico PCR, compared with products that are made by hand and with files.
#include <fmt/format.h>

#include <basesweep/pcr.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_pcr {

using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kLeft = "ACGGTTCAGTACCATG";
const std::string kRight = "TTGACCGTAGGCATCA";
const std::string kRightTurned = "TGATGCCTACGGTCAA";
const std::string kLeftTurned = "CATGGTACTGAACCGT";

std::string print(const PcrProduct& p) {
  return fmt::format("{} {} {} {} {}:{}-{}({}) {}:{}-{}({}) {} {}\n", p.record, p.record_name, p.start, p.end,
                     p.forward.primer, p.forward.start, p.forward.end, p.forward.edits, p.reverse.primer,
                     p.reverse.start, p.reverse.end, p.reverse.edits, p.strand, p.text);
}

}  // namespace

TEST_CASE("library: products in a buffer", "[pcr]") {
  const Pcr pcr({{"x", kLeft, kRight}}, {.edits = 1});
  const auto found = pcr.find("TT" + kLeft + "CC" + kRightTurned + "G");
  REQUIRE(found.size() == 1);
  CHECK(found[0].start == 2);
  CHECK(found[0].size() == 34);
  CHECK(found[0].strand == '+');
  CHECK(found[0].text.empty());
  CHECK(pcr.pairs().size() == 1);
  CHECK_THAT(pcr.method(), ContainsSubstring("cpu"));
}

TEST_CASE("library: products of several records, in files too", "[pcr]") {
  const std::vector<std::string> texts = {"TT" + kLeft + "CC" + kRightTurned + "G", "",
                                          "AAA" + kRight + "A" + kLeftTurned, kLeft + "ACGT" + kLeftTurned};
  std::vector<NamedSequence> records;
  const std::vector<std::string> names = {"one", "none", "two", "three"};
  std::string fasta;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    records.push_back({names[i], texts[i]});
    fasta += ">" + names[i] + "\n" + texts[i] + "\n";
  }
  const std::string product = kLeft + "CC" + kRightTurned;
  const std::string first = "0 one 2 36 0:2-18(0) 1:20-36(0) + " + product + "\n";
  const std::string turned = " two 3 36 0:20-36(0) 1:3-19(0) - " + kLeft + "T" + kRightTurned + "\n";
  const std::string single = " three 0 36 0:0-16(0) 0:20-36(0) + " + kLeft + "ACGT" + kLeftTurned + "\n";

  std::string lines;
  const auto take = [&lines](const PcrProduct& p) { lines += print(p); };
  PcrOptions options{.edits = 0, .single = true, .text = true};
  PcrSummary summary = Pcr({{"x", kLeft, kRight}}, options).search(records, take);
  CHECK(lines == first + "2" + turned + "3" + single);
  CHECK(summary.products == 3);
  CHECK_FALSE(summary.truncated);

  const support::ScratchFolder folder;
  support::write_file(folder.path("text.fa"), fasta);
  lines.clear();
  summary = Pcr({{"x", kLeft, kRight}}, options).search_files({folder.path("text.fa")}, take);
  CHECK(lines == first + "1" + turned + "2" + single);

  options.max_products = 1;
  lines.clear();
  summary = Pcr({{"x", kLeft, kRight}}, options).search(records, take);
  CHECK(lines == first);
  CHECK(summary.truncated);

  options.max_products.reset();
  options.single = false;
  options.pool = true;
  lines.clear();
  Pcr({{"x", kLeft, kRight}}, options).search(records, take);
  CHECK(lines == first + "2" + turned + "3" + single);
}

TEST_CASE("library: pairs of a file, with sizes of their own", "[pcr]") {
  const support::ScratchFolder folder;
  support::write_file(folder.path("pairs"), "x\t" + kLeft + "\t" + kRight + "\t10\t35\n");
  const std::vector<NamedPair> pairs = load_pairs(folder.path("pairs"));
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].max_size == 35);
  const Pcr pcr(pairs, {.error_rate = 0.1});
  CHECK(pcr.find(kLeft + "CCC" + kRightTurned).size() == 1);
  CHECK(pcr.find(kLeft + "CCCC" + kRightTurned).empty());
}

TEST_CASE("library: chosen columns of pairs, and what was left out", "[pcr]") {
  const support::ScratchFolder folder;
  support::write_file(folder.path("pairs"), "lab,sense,antisense\nx,5'-" + kLeft + "-3'," + kRight + "\n");
  CHECK_THROWS_AS(load_pairs(folder.path("pairs")), DataError);
  std::string said;
  const auto warn = [&said](const std::string& sentence) { said += sentence; };
  const std::vector<NamedPair> pairs =
      load_pairs(folder.path("pairs"), {.forward_column = "sense", .reverse_column = "3", .warn = warn});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].name == "x");
  CHECK(pairs[0].forward == kLeft);
  CHECK(pairs[0].reverse == kRight);
  CHECK(said == "2 marks of ends (5', 3') were left out");
  CHECK_THROWS_AS(load_pairs(folder.path("pairs"), {.forward_column = "fwd"}), UsageError);
}

TEST_CASE("library: a primer that is turned round is told", "[pcr]") {
  const std::string text = "TT" + kLeft + "CC" + kRightTurned + "G";
  const support::ScratchFolder folder;
  support::write_file(folder.path("text.fa"), ">r\n" + text + "\n");
  const auto warnings = [&](const std::string& left, const std::string& right) {
    return Pcr({{"x", left, right}}, {.edits = 0}).search_files({folder.path("text.fa")}, [](const auto&) {}).warnings;
  };
  CHECK(warnings(kLeft, kRight).empty());
  REQUIRE(warnings(kLeft, kRightTurned).size() == 1);
  CHECK_THAT(warnings(kLeft, kRightTurned)[0], ContainsSubstring("its reverse primer reverse-complemented: " + kRight));
}

TEST_CASE("library: pairs and options that are refused", "[pcr]") {
  const auto make = [](std::vector<NamedPair> pairs, PcrOptions options) { Pcr(std::move(pairs), std::move(options)); };
  CHECK_THROWS_AS(make({}, {.edits = 0}), UsageError);
  CHECK_THROWS_AS(make({{"x", "ACGT", "ACGT"}}, {}), UsageError);
  CHECK_THROWS_AS(make({{"x", "ACGT", ""}}, {.edits = 0}), UsageError);
  CHECK_THROWS_AS(make({{"x", "AC!T", "ACGT"}}, {.edits = 0}), UsageError);
  CHECK_THROWS_AS(make({{"x", "ACGT", "ACGA"}}, {.edits = 0, .error_rate = 0.1}), UsageError);
  CHECK_THROWS_AS(make({{"x", "ACGT", "ACGA"}}, {.edits = 0, .min_size = 9, .max_size = 8}), UsageError);
  CHECK_THROWS_AS(make({{"x", "ACGT", "ACGA"}}, {.edits = 0, .single = true, .pool = true}), UsageError);
  CHECK_THROWS_AS(make({{"x", "ACGT", "ACGA"}}, {.edits = 0, .max_products = 0}), UsageError);
  CHECK_THROWS(make({{"x", "ACGT", "ACGA"}, {"x", "ACGT", "ACGA"}}, {.edits = 0}));
}

}  // namespace basesweep::test_pcr
