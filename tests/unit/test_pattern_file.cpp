// Pattern files of every format, and errors in them.
#include "lib/base/error.hpp"
#include "lib/reader/pattern_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

using namespace basesweep;
using Catch::Matchers::Equals;

namespace {

const support::ScratchFolder& folder() {
  static const support::ScratchFolder folder;
  return folder;
}

std::string file(const std::string& text, support::Packing packing = support::Packing::plain) {
  support::write_file(folder().path("patterns"), text, packing);
  return folder().path("patterns");
}

// Returns the patterns as "name=SEQUENCE name=SEQUENCE".
std::string patterns_of(const std::string& text, support::Packing packing = support::Packing::plain) {
  std::string all;
  for (const Pattern& pattern : read_patterns(file(text, packing))) {
    all += (all.empty() ? "" : " ") + pattern.name + "=" + pattern.sequence;
  }
  return all;
}

// Returns the error message without the path at its start.
std::string refusal(const std::string& text) {
  const std::string path = file(text);
  try {
    read_patterns(path);
  } catch (const DataError& error) {
    const std::string message = error.what();
    REQUIRE(message.substr(0, path.size() + 2) == path + ": ");
    return message.substr(path.size() + 2);
  }
  return "(read)";
}

const char* const kGenBank =
    "LOCUS       one                8 bp    DNA     linear   UNK\n"
    "DEFINITION  first\n"
    "ORIGIN      \n"
    "        1 gaattcnn\n"
    "//\n"
    "LOCUS       two                4 bp    DNA     linear   UNK\n"
    "DEFINITION  second\n"
    "ORIGIN      \n"
    "        1 acgt\n"
    "//\n";

const char* const kEmbl =
    "ID   one; SV 1; linear; DNA; STD; UNC; 8 BP.\n"
    "XX\n"
    "SQ   Sequence 8 BP;\n"
    "     gaattcnn                                                                  8\n"
    "//\n"
    "ID   two; SV 1; linear; DNA; STD; UNC; 4 BP.\n"
    "XX\n"
    "SQ   Sequence 4 BP;\n"
    "     acgt                                                                      4\n"
    "//\n";

}  // namespace

TEST_CASE("patterns in FASTA") {
  CHECK(patterns_of(">a title\nACGT\n>b\nGA\nAT\nTC\n") == "a=ACGT b=GAATTC");
  CHECK(patterns_of(">a\nacgun") == "a=ACGUN");
  CHECK(patterns_of(">a\r\n  AC\t\r\n\r\nGT\r\n") == "a=ACGT");
}

TEST_CASE("patterns in columns") {
  CHECK(patterns_of("a\tACGT\nb\tgattaca\tmore\tcolumns\n") == "a=ACGT b=GATTACA");
  CHECK(patterns_of("# comment\n\n  \na\tRYN\r\nname with blanks\tA") == "a=RYN name with blanks=A");
}

TEST_CASE("patterns in FASTQ") { CHECK(patterns_of("@a x\nACGT\n+\nIIII\n@b\nGGN\n+\n@@@\n") == "a=ACGT b=GGN"); }

TEST_CASE("patterns in GenBank and EMBL") {
  CHECK(patterns_of(kGenBank) == "one=GAATTCNN two=ACGT");
  CHECK(patterns_of(kEmbl) == "one=GAATTCNN two=ACGT");
}

TEST_CASE("compressed pattern files") {
  const std::string text = ">a\nACGT\n>b\nGAATTC\n";
  CHECK(patterns_of(text, support::Packing::gzip) == "a=ACGT b=GAATTC");
  CHECK(patterns_of(text, support::Packing::bgzf) == "a=ACGT b=GAATTC");
  CHECK(patterns_of(kGenBank, support::Packing::gzip) == "one=GAATTCNN two=ACGT");
}

TEST_CASE("pattern files that are refused") {
  CHECK_THAT(refusal(""), Equals("no patterns in this file"));
  CHECK_THAT(refusal("# only a comment\n"), Equals("no patterns in this file"));
  CHECK_THAT(refusal(">a\nAC\n>b\n>c\nGT\n"), Equals("line 3: pattern 'b' has no sequence"));
  CHECK_THAT(refusal(">a\nAC\n>b\n"), Equals("line 3: pattern 'b' has no sequence"));
  CHECK_THAT(refusal("a\tAC\nb\t\n"), Equals("line 2: pattern 'b' has no sequence"));
  CHECK_THAT(refusal(">a\nAC\nGXT\n"),
             Equals("line 3: pattern 'a', position 4: 'X' is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal("a\tAC GT\n"),
             Equals("line 1: pattern 'a', position 3: byte 0x20 is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal(">a\nAC\n>b\nC\n>a\nGT\n"), Equals("line 5: pattern 'a': the name is used twice"));
  CHECK_THAT(refusal(">\nAC\n"), Equals("line 1: the pattern has no name"));
  CHECK_THAT(refusal("\tAC\n"), Equals("line 1: the pattern has no name"));
  CHECK_THAT(refusal("a\tAC\nGATTACA\n"), Equals("line 2: expected FASTA, or a name, a tab and a sequence"));
  CHECK_THAT(refusal("@a\nACGT\n+\nIIII\n@b\nAC?T\n+\nIIII\n").substr(0, 18), Equals("after 1 patterns: "));
  CHECK_THAT(refusal("@a\nACGT\n+\nIIII\n@a\nACT\n+\nIII\n"), Equals("record 2: pattern 'a': the name is used twice"));
  CHECK_THROWS_AS(read_patterns(folder().path("missing")), IoError);
  CHECK_THROWS_AS(read_patterns(folder().path("")), IoError);
}
