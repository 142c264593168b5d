// Libraries of guides: the columns of tables, FASTA, and what is refused.
#include <cmath>
#include <string>

#include "lib/counting/guide_counter.hpp"
#include "lib/counting/library.hpp"
#include "lib/counting/start_finder.hpp"
#include "lib/include/basesweep/error.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_guide_library {

using Catch::Matchers::ContainsSubstring;

namespace {

GuideLibrary parse(const std::string& text, EqualSequences equal = EqualSequences::refused) {
  return parse_library(text, "lib", equal);
}

// "name sequence gene" of each guide.
std::string shown(const std::string& text, EqualSequences equal = EqualSequences::refused) {
  std::string lines;
  for (const LibraryGuide& guide : parse(text, equal).guides) {
    lines += guide.name + " " + guide.sequence + (guide.gene.empty() ? "" : " " + guide.gene) + "\n";
  }
  return lines;
}

void check_fault(const std::string& text, const std::string& message) {
  CHECK_THROWS_WITH(parse(text), ContainsSubstring(message));
  CHECK_THROWS_AS(parse(text), DataError);
}

}  // namespace

TEST_CASE("Columns of a library are found by titles and by content") {
  const std::string expected = "g1 ACGTACGT CAT\ng2 CCGTACGA CAT\n";
  CHECK(shown("g1\tACGTACGT\tCAT\ng2\tCCGTACGA\tCAT\n") == expected);
  CHECK(shown("sgRNA,Sequence,Gene\ng1,acgtacgt,CAT\ng2,CCGUACGA,CAT\n") == expected);
  CHECK(shown("Gene\tseq\tguide_id\nCAT\tACGTACGT\tg1\r\nCAT\tCCGTACGA\tg2\r\n") == expected);
  CHECK(shown("CAT,g1,ACGTACGT\nCAT,g2,CCGTACGA\n") == expected);
  CHECK(shown("ACGTACGT CAT g1\nCCGTACGA CAT g2\n") == expected);
}

TEST_CASE("Libraries of other programs are read") {
  CHECK(shown("id,name,read,pattern,sequence,feature_type,target_gene_id,target_gene_name\n"
              "A1,A1,R2,(BC)GTTT,ACGTACGT,CRISPR Guide Capture,ENSG1,CAT\n") == "A1 ACGTACGT CAT\n");
  CHECK(shown(">g1 about it\nACGT\nACGT\n\n>g2\nCCGTACGA\n") == "g1 ACGTACGT\ng2 CCGTACGA\n");
  CHECK(shown("ACGTACGT\nCCGTACGA\n") == "ACGTACGT ACGTACGT\nCCGTACGA CCGTACGA\n");
  CHECK(shown("# a comment\ng1\tACGTACGT\n\ng2\tCCGTACGA\n") == "g1 ACGTACGT\ng2 CCGTACGA\n");
  CHECK_FALSE(parse("g1\tACGTACGT\n").has_genes);
}

TEST_CASE("Faults in a library are said with their lines") {
  check_fault("", "no guides");
  check_fault("name\tseq\n", "no column holds sequences");
  check_fault("x\tz\n", "no column holds sequences");
  check_fault("g1\tACGTACGT\ng2\tACGNACGT\n", "line 2: guide 'g2', position 4: 'N' is not A, C, G or T");
  check_fault("g1\tACNTACGT\ng2\tACGTACGT\n", "line 1: guide 'g1', position 3");
  check_fault("g1\tACGTACGT\ng1\tCCGTACGT\n", "line 2: guide 'g1': the name is used twice, also in line 1");
  check_fault("g1\tACGTACGT\ng2\tacgtacgt\n", "line 2: guide 'g2' has the sequence of guide 'g1' in line 1");
  check_fault("g1\tACG\ng2\tCCG\n", "line 1: guide 'g1' has 3 bases: expected 4 to 64");
  check_fault("g1\t" + std::string(65, 'A') + "\n", "has 65 bases");
  check_fault("g1\tACGTACGT\ng2\t\n", "line 2: guide 'g2' has no sequence");
  check_fault(">g1\n>g2\nACGT\n", "line 1: guide 'g1' has no sequence");
  check_fault(">\nACGTACGT\n", "line 1: the guide has no name");
}

TEST_CASE("Guides of one sequence are merged if that is asked for") {
  const std::string text = "g1,ACGTACGT,A\ng2,CCGTACGA,B\ng3,ACGTACGT,A\ng4,ACGTACGT,C\n";
  CHECK(shown(text, EqualSequences::merged) == "g1|g3|g4 ACGTACGT A|C\ng2 CCGTACGA B\n");
  CHECK(parse(text, EqualSequences::merged).merged == 2);
}

TEST_CASE("Guides that are parts of others are found") {
  const auto nested = nested_guides(parse("a\tACGTACGT\nb\tTACGTACGTT\nc\tCCCCAAAA\n"));
  REQUIRE(nested.size() == 1);
  CHECK(nested[0].guide == 0);
  CHECK(nested[0].longer == 1);
  CHECK(nested_guides(parse("a\tACGTACGT\nb\tCCCCAAAA\n")).empty());
}

TEST_CASE("The window of starts spans all starts that are common") {
  const GuideLibrary library = parse("a\tACGTACGTTT\nb\tGGATCCATTG\n");
  StartFinder finder(library);
  for (int i = 0; i < 300; ++i) {
    finder.add("CC" + std::string(i % 3, 'C') + (i % 2 == 0 ? "ACGTACGTTT" : "GGATCCATTG") + "AAAA");
    finder.add("CCCCCCCCCCCCCCCCCC");
  }
  finder.add("CCCCCCCCCCCCACGTACGTTT");  // one read is not enough
  FoundStarts found = finder.result();
  CHECK(found.reads == 601);
  CHECK(found.matching[0] == 301);
  CHECK(found.windows[0] == StartWindow{2, 4});
  CHECK_FALSE(found.windows[1]);
  StartFinder turned(library);
  for (int i = 0; i < 5; ++i) turned.add("TTTTTAAACGTACGT");
  found = turned.result();
  CHECK(found.windows[1] == StartWindow{5, 5});
  CHECK_FALSE(found.windows[0]);
}

TEST_CASE("The Gini index is 0 for even counts and near 1 for one guide alone") {
  SampleCounts sample;
  CHECK(sample.gini() == 0);
  sample.guides.assign(100, 7);
  CHECK(std::abs(sample.gini()) < 1e-12);
  sample.guides.assign(100, 0);
  CHECK(sample.gini() == 0);
  sample.guides[3] = 9;
  CHECK(std::abs(sample.gini() - 1) < 1e-12);
  sample.guides = {0, 1, 3};  // of log2: 0, 1, 2
  CHECK(std::abs(sample.gini() - (1 - 2 * (3 - 8.0 / 3) / 2)) < 1e-12);
  CHECK(sample.guides_without_reads() == 1);
}

}  // namespace basesweep::test_guide_library
