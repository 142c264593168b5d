// The reference of `map`: what is in the batch, what is refused.
#include "lib/reference.hpp"

#include <fmt/format.h>

#include "lib/error.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"
#include "tests/support/generate.hpp"

using namespace basesweep;
using Catch::Matchers::ContainsSubstring;
using support::Random;

namespace {

// Each record's letters as the batch has them, runs of N that were cut out put back.
std::vector<std::string> records_of(const Reference& reference) {
  std::vector<std::string> records(reference.records.size());
  for (const Piece& piece : reference.text->pieces()) {
    std::string& record = records.at(static_cast<std::size_t>(piece.reference));
    record.resize(static_cast<std::size_t>(piece.offset), 'N');
    std::string letters(piece.end - piece.column, ' ');
    reference.text->copy_letters(piece.column, piece.end, letters.data());
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
        support::random_records(random, static_cast<support::TextShape>(random.below(support::kTextShapes)));
    records.push_back("ACGTNNRYacgtu");
    if (random.chance(30)) records.push_back("AC" + std::string(random.between(4000, 9000), 'N') + "GT");
    std::vector<std::string> expected;
    std::vector<std::string> names;
    for (std::size_t r = 0; r < records.size(); ++r) {
      if (records[r].empty()) continue;
      expected.push_back(upper(records[r]));
      names.push_back(support::record_name(r));
    }
    CAPTURE(seed);
    const auto packing =
        random.pick(std::vector{support::Packing::plain, support::Packing::gzip, support::Packing::bgzf});
    support::write_file(folder.path("r.fa"), support::fasta_text(records, support::random_chunking(random, 1000)),
                        packing);
    const Reference reference =
        load_reference({.path = folder.path("r.fa"), .threads = static_cast<int>(random.between(1, 3))});
    CHECK(records_of(reference) == expected);
    REQUIRE(reference.records.size() == names.size());
    for (std::size_t r = 0; r < names.size(); ++r) CHECK(reference.records[r].name == names[r]);
    CHECK(reference.md5.empty());
    const PackedView view = reference.text->view();
    CHECK(view.own_begin == 0);
    CHECK(view.own_end == view.columns);
  }
}

TEST_CASE("digests are those of the letters in upper case") {
  const support::ScratchFolder folder;
  // From: printf ACGTNNRYACGTAC | md5sum, and so on.
  support::write_file(folder.path("r.fa"), ">a x\nACgtNNryacgt\r\nAC\r\n>none\n>b\nACGUU\n");
  const Reference reference = load_reference({.path = folder.path("r.fa"), .md5 = true});
  CHECK(reference.md5 ==
        std::vector<std::string>{"1bde17571744e5869825cec651ba6a07", "2c4869edd17615eed0fc94b5b8cafe15"});
}

TEST_CASE("what can be no reference is refused with its reason") {
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
