// Pattern files of every format, and errors in them.
#include "lib/base/error.hpp"
#include "lib/reader/pattern_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_pattern_file {

using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;

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
std::string printed(const std::vector<Pattern>& patterns) {
  std::string all;
  for (const Pattern& pattern : patterns) all += (all.empty() ? "" : " ") + pattern.name + "=" + pattern.sequence;
  return all;
}

std::string patterns_of(const std::string& text, support::Packing packing = support::Packing::plain) {
  return printed(read_patterns(file(text, packing)));
}

std::string patterns_in_columns(const std::string& text, const ColumnChoice& columns) {
  return printed(read_patterns(file(text), columns));
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

TEST_CASE("a byte-order mark belongs to no name") {
  CHECK(patterns_of("\xef\xbb\xbf>a\nACGT\n") == "a=ACGT");
  CHECK(patterns_of("\xef\xbb\xbf"
                    "a\tACGT\n") == "a=ACGT");
  CHECK(patterns_of("\xef\xbb\xbfname,seq\na,ACGT\n") == "a=ACGT");
}

TEST_CASE("tables with a header") {
  CHECK(patterns_of("name\tpool\tseq\nx\tGATTACA\tACGT\ny\tGATTACC\tGGNI\n") == "x=ACGT y=GGNI");
  CHECK(patterns_of("Primer Name\tSequence (5'-3')\tTm\np 1\tACCGGT\t55\n") == "p 1=ACCGGT");
  CHECK(patterns_of("enzyme\tsite\tcut\nBamHI\tGGATCC\t1\nHpyUM037X\tTNGGNAG|GTGGNAG\t15\n") ==
        "BamHI=GGATCC HpyUM037X=TNGGNAG|GTGGNAG");
  CHECK(patterns_of("id\tname\tsequence\nMA1\t\tCACGTG\nMA2\t\tYGCGTG\n") == "MA1=CACGTG MA2=YGCGTG");
  CHECK(patterns_of("guide\tgene\nGATTACAGATTACAGAC\tTP53\nGGTTACAGATTACAGAC\tMYC\n") ==
        "TP53=GATTACAGATTACAGAC MYC=GGTTACAGATTACAGAC");
  CHECK(patterns_of("id\tguide\tcontext\ng1\tGATTACAGATT\tCCGATTACAGATTGG\n") == "g1=GATTACAGATT");
  CHECK(patterns_of("sgRNA\tgene\tsequence\ns1\tTP53\tGGTTACA\n") == "s1=GGTTACA");
  CHECK(patterns_of("#name\tseq\tnote\na\tACGTA\tACGTT\nb\tGGTTG\tGGTTA\n") == "a=ACGTA b=GGTTG");
  CHECK(patterns_of("sequence\nACGT\nGGTT\n") == "ACGT=ACGT GGTT=GGTT");
  CHECK(patterns_of("primer\tGATTACA\n") == "primer=GATTACA");
}

TEST_CASE("tables without a header: the only column of sequences") {
  CHECK(patterns_of("A\tACG\nB\tGG\n") == "A=ACG B=GG");
  CHECK(patterns_of("GAATTC\tAAAA\n") == "GAATTC=AAAA");
  CHECK(patterns_of("GATTACAGATTACA\tGATTACAGATTACA\n") == "GATTACAGATTACA=GATTACAGATTACA");
  CHECK(patterns_of("BamHI\tGGATCC\nHindIII\tAAGCTT\n") == "BamHI=GGATCC HindIII=AAGCTT");
  CHECK(patterns_of("GATTACAGATTACA\tTP53\nGATTTTT\tMYC\n") == "TP53=GATTACAGATTACA MYC=GATTTTT");
  CHECK(patterns_of("a\tchr1\tACGTACGT\tN\nb\tchr2\tGGTTGGTT\tN\n") == "a=ACGTACGT b=GGTTGGTT");
  CHECK(patterns_of("one two\t\t\tACGTACGT\nb\tGGTT\n\nthree\t\tCCGG\n") == "one two=ACGTACGT b=GGTT three=CCGG");
}

TEST_CASE("CSV, blanks, lists of sequences") {
  CHECK(patterns_of("name,sequence\n\"a, \"\"b\"\"\",ACGT\n c , \"GGG\" \n") == "a, \"b\"=ACGT c=GGG");
  CHECK(patterns_of("name;sequence\na;ACGT\n") == "a=ACGT");
  CHECK(patterns_of("a,ACGT\r\nb,GGTT\r\n") == "a=ACGT b=GGTT");
  CHECK(patterns_of("27F  AGAGTT\n338R    TGCTGC\n") == "27F=AGAGTT 338R=TGCTGC");
  CHECK(patterns_of("27F AGAGTT\n338R TGCTGC\n") == "27F=AGAGTT 338R=TGCTGC");
  CHECK(patterns_of("Primer one   AGAGTT\nPrimer two\tTGCTGC\n") == "Primer one=AGAGTT Primer two=TGCTGC");
  CHECK(patterns_of("GATTACA\n\n  GGTTI\n") == "GATTACA=GATTACA GGTTI=GGTTI");
}

TEST_CASE("BED with sequences") {
  CHECK(patterns_of("MN9\t30\t54\tn_1_LEFT\t1\t+\tACCAACC\r\nMN9\t385\t410\tn_1_RIGHT\t1\t-\tCATCTTT\r\n") ==
        "n_1_LEFT=ACCAACC n_1_RIGHT=CATCTTT");
  CHECK(patterns_of("# artic-bed-version v3.0\nMN9\t30\t54\tp\t1\t+\tACCAACC\tGGGTTTT\n") == "p=ACCAACC");
  CHECK_THAT(refusal("MN9\t30\t54\tn_1_LEFT\t1\t+\n"),
             Equals("line 1: this BED has no sequences: expected them in column 7, as primalscheme writes them"));
}

TEST_CASE("columns that are chosen") {
  const std::string text = "label\tfwd\trev\na\tACGTACGT\tGGTTGGTT\nb\tCCCCCC\tTTTTTT\n";
  CHECK(patterns_in_columns(text, {"", "rev"}) == "a=GGTTGGTT b=TTTTTT");
  CHECK(patterns_in_columns(text, {"rev", "FWD"}) == "GGTTGGTT=ACGTACGT TTTTTT=CCCCCC");
  CHECK(patterns_in_columns(text, {"1", "fwd"}) == "a=ACGTACGT b=CCCCCC");
  CHECK(patterns_in_columns("a\tACGT\tGGTT\n", {"", "3"}) == "a=GGTT");
  CHECK_THROWS_WITH(
      patterns_in_columns(text, {"", "both"}),
      Equals("--pattern-column both: the columns of " + folder().path("patterns") + " are label, fwd, rev"));
  CHECK_THROWS_WITH(patterns_in_columns(text, {"4", ""}),
                    Equals("--name-column 4: " + folder().path("patterns") + " has columns 1 to 3"));
  CHECK_THROWS_AS(patterns_in_columns(text, {"0", ""}), UsageError);
  CHECK_THROWS_AS(patterns_in_columns(">a\nACGT\n", {"", "2"}), UsageError);
}

TEST_CASE("limits of patterns") {
  const auto patterns = read_patterns(
      file("name\tsequence\tedits\tclamp_3prime\tclamp 5prime\na\tACGTACGT\t2\t\t\nb\tGGTT\t\t3\t1\nc\tGGTTA\n"));
  REQUIRE(patterns.size() == 3);
  CHECK((patterns[0].edits == 2U && !patterns[0].clamp_3prime && !patterns[0].clamp_5prime));
  CHECK((!patterns[1].edits && patterns[1].clamp_3prime == 3U && patterns[1].clamp_5prime == 1U));
  CHECK_FALSE(patterns[2].has_limits());
  for (const char* wrong : {"x", "-1", "1.5", "99999999999"}) {
    CHECK_THAT(refusal(std::string("name,seq,edits\na,ACGT,1\nb,ACGT,") + wrong + "\n"),
               Equals(std::string("line 3: column 'edits': '") + wrong + "' is not a whole number"));
  }
}

TEST_CASE("tables that can be read in two ways") {
  CHECK_THAT(
      refusal("a\tACGTACGT\tGGTTGGTT\n"),
      Equals("line 1: 'a ACGTACGT GGTTGGTT' can be read as pattern 'a' = ACGTACGT (column 2) or as pattern 'a' = "
             "GGTTGGTT (column 3): choose with --pattern-column"));
  CHECK_THAT(refusal("set\tfwd_seq\trev_seq\na\tACGTACGT\tGGTTGGTT\n"),
             Equals("line 2: 'a ACGTACGT GGTTGGTT' can be read as pattern 'a' = ACGTACGT (column 2, 'fwd_seq') or as "
                    "pattern 'a' = GGTTGGTT (column 3, 'rev_seq'): choose with --pattern-column"));
  CHECK_THAT(refusal("GATTACAGATTACA\tBRCA\n").substr(0, 8), Equals("line 1: "));
  // The header has fewer columns than the row.
  CHECK_THAT(refusal("name\tfoo\na\tACGTACGT\tx\tGGTTGGTT\n"),
             Equals("line 2: 'a ACGTACGT x GGTTGGTT' can be read as pattern 'a' = ACGTACGT (column 2, 'foo') or as "
                    "pattern 'a' = GGTTGGTT (column 4): choose with --pattern-column"));
  // A column with a typing error may be meant as well.
  CHECK_THAT(refusal("x\tACGTACGT\tGGTTGGTT\ny\tACGTACGG\tGGTTLGTT\n").substr(0, 8), Equals("line 1: "));
}

TEST_CASE("patterns in FASTQ") {
  CHECK(patterns_of("@a x\nACGT\n+\nIIII\n@b\nGGN\n+\n@@@\n") == "a=ACGT b=GGN");
  CHECK(patterns_of("@a\r\nAC\r\nGT\r\n+a\r\n@I\r\n+I\r\n\r\n@b\r\nGGN\r\n+\r\n@@@") == "a=ACGT b=GGN");
}

TEST_CASE("faults of patterns in FASTQ") {
  CHECK(refusal("@a\nACGT\n+\nIIII\n@b\nA.T\n+\nIII\n") ==
        "record 2: pattern 'b', position 2: '.' is not a nucleotide or IUPAC code (write N for a base that is not "
        "known)");
  CHECK(refusal("@a\nACGT\n+\nIII\n") == "record 1: expected as many qualities as letters, 4, found 3");
  CHECK(refusal("@a\nACGT\n+\nIIIII\n") == "record 1: expected as many qualities as letters, 4, found 5");
  CHECK(refusal("@a\nACGT\n") == "record 1: expected '+' and qualities behind the sequence");
  CHECK(refusal("@a\nACGT\n+\nIIII\nb\nACGT\n+\nIIII\n") == "record 2: expected '@' and a name, found 'b'");
  CHECK(refusal("@a\n\n+\n\n@b\nA\n+\nI\n") == "record 1: pattern 'a' has no sequence");
}

TEST_CASE("patterns in GenBank and EMBL") {
  CHECK(patterns_of(kGenBank) == "one=GAATTCNN two=ACGT");
  CHECK(patterns_of(kEmbl) == "one=GAATTCNN two=ACGT");
}

TEST_CASE("faults in GenBank and EMBL are found, with their line") {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK_THAT(refusal(changed(kGenBank, "1 acgt", "1 acg?")),
             Equals("line 9: pattern 'two', position 4: '?' is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal(changed(kEmbl, "acgt  ", "ac-gt ")),
             Equals("line 9: pattern 'two', position 3: '-' is not a nucleotide or IUPAC code"));
  for (const char* const text : {kGenBank, kEmbl}) {
    INFO(text);
    CHECK_THAT(refusal(changed(text, "gaattcnn", "gaa7tcnn")),
               Equals("line 4: pattern 'one', position 4: '7' is not a nucleotide or IUPAC code"));
    CHECK_THAT(refusal(changed(text, "gaattcnn", "")), Equals("line 1: pattern 'one' has no sequence"));
    const std::string record = text == kEmbl ? "ID" : "LOCUS";
    CHECK_THAT(refusal(changed(text, "//\n", "")),
               Equals("line 5: expected '//' at the end of pattern 'one' before the next '" + record + "'"));
    CHECK_THAT(refusal(std::string(text).substr(0, std::string(text).size() - 3)),
               Equals("line 9: the file ends inside pattern 'two': expected '//' at its end"));
    CHECK_THAT(refusal(text + std::string("\nrest\n")),
               Equals("line 12: expected '" + record + "' at the start of a record, found 'rest'"));
    CHECK_THAT(refusal(changed(text, "two", "one")),
               StartsWith("line 6: pattern 'one': the name is used twice: line 1"));
    std::string crlf;
    for (const char* c = text; *c != '\0'; ++c) crlf += *c == '\n' ? "\r\n" : std::string(1, *c);
    CHECK(patterns_of(crlf + "\r\n") == "one=GAATTCNN two=ACGT");
  }
  CHECK_THAT(refusal(changed(kGenBank, "ORIGIN", "ORGIN")), Equals("line 1: pattern 'one' has no sequence"));
  // Groups of ten with numbers beside them, and a number between them, which is none of these.
  CHECK(patterns_of("LOCUS a\nORIGIN\n        1 acgtacgtac gtacgtacgt\n       21 gg\n//\n") ==
        "a=ACGTACGTACGTACGTACGTGG");
  CHECK(patterns_of("ID   a\nSQ   \n     acgtacgtac gtacgtacgt        20\n     gg        22\n//\n") ==
        "a=ACGTACGTACGTACGTACGTGG");
  CHECK_THAT(refusal("ID   a\nSQ   \n     acgtacgtac 12 gtacgtacgt        20\n//\n"),
             Equals("line 3: pattern 'a', position 11: '1' is not a nucleotide or IUPAC code"));
}

TEST_CASE("every pattern has its row, whichever way its table is read") {
  for (const char* text : {"a\tGATTACA\tx\nb\tACGT\t\n", "n\xc3me\tTACAits\na\tGATTA\n", ">a\nGATTACA\n",
                           "GATTACA\nACGT\n", "name\tguuid\tclamp_2prime\ng1\tGATTACANGG\t3\n"}) {
    support::write_file(folder().path("patterns"), text);
    PatternRows rows;
    const std::vector<Pattern> patterns = read_patterns(folder().path("patterns"), {}, &rows);
    INFO(text);
    REQUIRE(rows.rows.size() == patterns.size());
    for (const auto& row : rows.rows) CHECK(row.size() == rows.header.size());
  }
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
  CHECK_THAT(refusal("a\tAC GX\n"), Equals("line 1: pattern 'a', position 5: 'X' is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal(">a\nAC\n>b\nC\n>a\nGT\n"),
             Equals("line 5: pattern 'a': the name is used twice: line 1 is 'a', line 5 is 'a'"));
  CHECK_THAT(refusal(">a one\nAC\n>a two\nGT\n"),
             Equals("line 3: pattern 'a': the name is used twice: line 1 is 'a one', line 3 is 'a two'; only the first "
                    "word of a title counts"));
  CHECK_THAT(refusal("a\tACC\na\tGGT\n"),
             Equals("line 2: pattern 'a': the name is used twice: line 1 is 'a ACC', line 2 "
                    "is 'a GGT'"));
  CHECK_THAT(refusal("a\tx\tACC\na\ty\tGGT\n"),  // there is another column
             Equals("line 2: pattern 'a': the name is used twice: line 1 is 'a x ACC', line 2 "
                    "is 'a y GGT'; --name-column chooses another column"));
  CHECK_THAT(refusal(">\nAC\n"), Equals("line 1: the pattern has no name"));
  CHECK_THAT(refusal("\tAC\n"), Equals("line 1: the pattern has no name"));
  CHECK_THAT(refusal("a\tAC\nGATTACA\n"), Equals("line 2: expected FASTA, or a name, a tab and a sequence"));
  CHECK_THAT(refusal("@a\nACGT\n+\nIIII\n@b\nAC?T\n+\nIIII\n"), StartsWith("record 2: "));
  CHECK_THAT(refusal("@a\nACGT\n+\nIIII\n@a\nACT\n+\nIII\n"),
             Equals("record 2: pattern 'a': the name is used twice: record 1 is 'a', record 2 is 'a'"));
  CHECK_THAT(refusal("a\tACXT\n"), Equals("line 1: pattern 'a', position 3: 'X' is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal("GATA\tACXTTT\n"),
             Equals("line 1: pattern 'GATA', position 3: 'X' is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal("what\tbases\nb\tACGT\n"),
             Equals("line 1: pattern 'what', position 4: 'e' is not a nucleotide or "
                    "IUPAC code (if this line is a header: --pattern-column 'bases')"));
  CHECK_THAT(refusal("GATTACA\nGGTXACA\n"),
             Equals("line 2: pattern 'GGTXACA', position 4: 'X' is not a nucleotide or IUPAC code"));
  CHECK_THAT(refusal("a\tACGT||GG\n"), Equals("line 1: pattern 'a': expected a sequence on either side of '|'"));
  CHECK_THAT(refusal("name\tseq\n"), Equals("no patterns in this file"));
  CHECK_THROWS_AS(read_patterns(folder().path("missing")), IoError);
  CHECK_THROWS_AS(read_patterns(folder().path("")), IoError);
}

}  // namespace basesweep::test_pattern_file
