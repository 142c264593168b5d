// The reference of `map`: the content of its batch, and references that are refused.
#include "lib/reads/reference.hpp"

#include <fmt/format.h>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_reference {

using Catch::Matchers::ContainsSubstring;
using trial::Random;

namespace {

// Returns each record's letters in the batch, with the runs of N that were left out put back.
std::vector<std::string> records_of(const Reference& reference) {
  std::vector<std::string> records(reference.records.size());
  for (const Segment& segment : reference.text->segments()) {
    std::string& record = records.at(static_cast<std::size_t>(segment.reference));
    record.resize(static_cast<std::size_t>(segment.offset), 'N');
    std::string letters(segment.end - segment.position, ' ');
    reference.text->copy_letters(segment.position, segment.end, letters.data());
    record += letters;
  }
  for (std::size_t r = 0; r < records.size(); ++r) {
    records[r].resize(static_cast<std::size_t>(reference.records[r].length), 'N');
  }
  return records;
}

std::string upper(std::string letters) {
  for (char& c : letters) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (c == 'U') c = 'T';
  }
  return letters;
}

}  // namespace

TEST_CASE("a reference holds all records in one batch, however it is packed") {
  const support::ScratchFolder folder;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(60); ++seed) {
    Random random(seed);
    std::vector<std::string> records =
        trial::random_records(random, static_cast<trial::TextShape>(random.below(trial::kTextShapes)));
    records.emplace_back("ACGTNNRYacgtu");
    if (random.chance(30)) records.push_back("AC" + std::string(random.between(4000, 9000), 'N') + "GT");
    std::vector<std::string> expected;
    std::vector<std::string> names;
    for (std::size_t r = 0; r < records.size(); ++r) {
      if (records[r].empty()) continue;
      expected.push_back(upper(records[r]));
      names.push_back(trial::record_name(r));
    }
    CAPTURE(seed);
    const auto packing =
        random.pick(std::vector{support::Packing::plain, support::Packing::gzip, support::Packing::bgzf});
    support::write_file(folder.path("r.fa"), trial::fasta_text(records, trial::random_cuts(random, 1000)), packing);
    const Reference reference =
        load_reference({.path = folder.path("r.fa"), .threads = static_cast<int>(random.between(1, 3))});
    CHECK(records_of(reference) == expected);
    REQUIRE(reference.records.size() == names.size());
    for (std::size_t r = 0; r < names.size(); ++r) CHECK(reference.records[r].name == names[r]);
    CHECK(reference.md5.empty());
    const PackedView view = reference.text->view();
    CHECK(view.own_begin == 0);
    CHECK(view.own_end == view.positions);
  }
}

TEST_CASE("digests are of the letters in upper case") {
  const support::ScratchFolder folder;
  // From: printf ACGTNNRYACGTAC | md5sum, and so on.
  support::write_file(folder.path("r.fa"), ">a x\nACgtNNryacgt\r\nAC\r\n>none\n>b\nACGUU\n");
  const Reference reference = load_reference({.path = folder.path("r.fa"), .md5 = true});
  CHECK(reference.md5 ==
        std::vector<std::string>{"1bde17571744e5869825cec651ba6a07", "2c4869edd17615eed0fc94b5b8cafe15"});
}

TEST_CASE("unusable references are refused with the reason") {
  const support::ScratchFolder folder;
  const auto refused = [&](const std::string& text, const std::string& why) {
    support::write_file(folder.path("r.fa"), text);
    CHECK_THROWS_WITH(load_reference({.path = folder.path("r.fa")}),
                      ContainsSubstring(why) && ContainsSubstring("r.fa"));
    CHECK_THROWS_AS(load_reference({.path = folder.path("r.fa")}), DataError);
  };
  refused("", "no bases");
  refused(">a\n>b\n", "no bases");
  refused("@a\nACGT\n+\nIIII\n", "FASTQ");
  refused(">a\nACGT\n>b\nAC\n>a\nT\n", "'a'");
  refused(">a\nACGT1\n", "record 'a', position 5");
  refused(">a,b\nACGT\n", "','");
  CHECK_THROWS_AS(load_reference({.path = folder.path("missing.fa")}), IoError);
}

}  // namespace basesweep::test_reference
